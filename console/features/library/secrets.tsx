import type { TaskSecret } from '../../../contract/task-secrets.ts';
import { blanks } from '../../parts/blanks.ts';
import { Moment } from '../../parts/values.tsx';
import { secretsText } from '../../texts/secrets.ts';
import { withoutLineEnd } from '../../ui/line-end.ts';
import { Facts } from '../../ui/page.tsx';
import { libraryPage } from './library-page.tsx';
import { calls } from './queries.ts';
import { ForTask, foundIn } from './task-values.tsx';

const t = secretsText.secrets;

/** `newValue`: of a secret that is there; it takes the place of the stored one, which nobody can read. */
type Values = { isNew: boolean; name: string; task_id: number | null; value: string; newValue: string; hosts: string; note: string };

const hostsOf = (typed: string): string[] => typed.split(/[\s,]+/).filter((host) => host !== '');

function About({ row }: { row: TaskSecret }) {
  return (
    <Facts
      facts={[
        [t.use, <code key="use">{`secret('${row.name}')`}</code>],
        [t.fields.task_id, <ForTask key="for" id={row.task_id} all={t.shop} />],
        [t.by, row.created_by_name],
        [t.changed, <Moment key="changed" at={row.updated_at} />],
        [t.used, row.last_used_at === null ? t.neverUsed : <Moment key="used" at={row.last_used_at} />],
      ]}
    />
  );
}

export const SecretsPage = libraryPage<TaskSecret, Values>({
  path: '/library/secrets',
  resource: 'task_secrets',
  blank: blanks.secrets,
  texts: t,
  nameOf: ({ name }) => name,
  columns: [
    { name: 'name', head: t.fields.name, cell: ({ name }) => <code>{name}</code> },
    { name: 'for', head: t.fields.task_id, cell: ({ task_id }) => <ForTask id={task_id} all={t.shop} /> },
    { name: 'hosts', head: t.fields.hosts, cell: ({ hosts }) => <span className="wrap">{hosts.join(', ')}</span>, isMinor: true },
    { name: 'note', head: t.fields.note, cell: ({ note }) => <span className="muted">{note}</span>, isMinor: true },
    { name: 'by', head: t.by, cell: ({ created_by_name }) => created_by_name, isMinor: true },
    { name: 'changed', head: t.changed, cell: ({ updated_at }) => <Moment at={updated_at} />, isMinor: true },
    {
      name: 'used',
      head: t.used,
      cell: ({ last_used_at }) => (last_used_at === null ? <span className="muted">{t.neverUsed}</span> : <Moment at={last_used_at} />),
      isMinor: true,
    },
  ],
  calls: {
    ...calls.task_secrets,
    list: async (query) => foundIn(await calls.task_secrets.list(), query, ({ name, hosts }) => [name, ...hosts]),
  },
  update(id, { newValue, hosts, note }, options) {
    const value = withoutLineEnd(newValue);
    return calls.task_secrets.update(id, { hosts: hostsOf(hosts), note, ...(value === '' ? {} : { value }) }, options);
  },
  valuesOf: ({ name, task_id, hosts, note }) => ({
    ...{ isNew: false, name, task_id, value: '', newValue: '' },
    hosts: hosts.join(', '),
    note,
  }),
  creation: {
    start: { isNew: true, name: '', task_id: null, value: '', newValue: '', hosts: '', note: '' },
    create: ({ name, task_id, value, hosts, note }, options) =>
      calls.task_secrets.create({ name, task_id, value: withoutLineEnd(value), hosts: hostsOf(hosts), note }, options),
  },
  Above: About,
  fields: [
    { kind: 'text', name: 'name', label: t.fields.name, hint: t.nameHint, isShown: ({ isNew }) => isNew },
    { kind: 'task', name: 'task_id', label: t.find, none: t.shop, isShown: ({ isNew }) => isNew },
    { kind: 'secret', name: 'value', label: t.fields.value, hint: t.valueHint, isShown: ({ isNew }) => isNew },
    { kind: 'secret', name: 'newValue', pointer: '/value', label: t.fields.newValue, hint: t.replaceHint, isShown: ({ isNew }) => !isNew },
    { kind: 'text', name: 'hosts', label: t.fields.hosts, hint: t.hostsHint },
    { kind: 'area', name: 'note', label: t.fields.note },
  ],
});
