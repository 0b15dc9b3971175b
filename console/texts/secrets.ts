import { counted } from '../language/formats.ts';
import { translated, type Words } from '../language/translated.ts';

const count = (one: string, many: string) => (total: number) => counted(total, one, many);

const shared = {
  shop: 'All tasks',
  find: 'Only for the task',
  by: 'Set up by',
  changed: 'Changed',
  namePlaceHint: 'Lower-case letters, digits and _, a letter first.',
};

/** The texts of secrets and variables of tasks. */
const english = {
  secrets: {
    title: 'Secrets',
    count: count('secret', 'secrets'),
    search: 'Name or host',
    empty: 'There is no secret yet. The server puts a secret into requests of tasks; no script, admin or log ever sees it.',
    create: 'New secret',
    removal: 'Runs that need it are refused from now on.',
    ...shared,
    nameHint: shared.namePlaceHint,
    valueHint: 'It is stored encrypted and never shown again.',
    replaceHint: 'Nobody can read the stored value. Left empty, it stays; a host that is added needs the value again.',
    hostsHint: 'Where the server may send it, such as api.example.com or host:port; several separated by commas.',
    use: 'In a script',
    used: 'Last used',
    neverUsed: 'not yet',
    fields: { name: 'Name', task_id: 'For', value: 'Value', newValue: 'New value', hosts: 'Hosts', note: 'Note' },
  },
  variables: {
    title: 'Variables',
    count: count('variable', 'variables'),
    search: 'Name or note',
    empty: 'There is no variable yet. A variable is a value that admins set and that the scripts of tasks read.',
    create: 'New variable',
    removal: 'Scripts that read it get the one for all tasks then, or nothing.',
    ...shared,
    nameHint: shared.namePlaceHint,
    valueHint: 'JSON: a text in quotes, a number, true, a list or an object. Runs show it to whoever sees their output.',
    use: 'In a script',
    fields: { name: 'Name', task_id: 'For', value: 'Value', note: 'Note' },
  },
} as const;

export type SecretsText = Words<typeof english>;
export const secretsText = translated('secrets', english);
