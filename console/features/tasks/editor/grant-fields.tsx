import { useQuery } from '@tanstack/react-query';
import { editorText } from '../../../texts/editor.ts';
import { permissionText } from '../../../texts/permissions.ts';
import { SelectField, TextArea } from '../../../ui/field.tsx';
import { taskNames } from '../queries.ts';
import type { DraftValues } from './drafts.ts';

const t = editorText.grants;

type Grant = 'mail_to' | 'http_allow' | 'secrets';
const lists = [
  ['mail_to', 'mail_send'],
  ['http_allow', 'http_request'],
  ['secrets', 'http_request'],
] as const satisfies readonly (readonly [Grant, string])[];

type Props = { values: DraftValues; change(part: Partial<DraftValues>): void };

/** With whom the version may use its permissions, one entry in each line. What is declared is shown even without its permission. */
export function GrantFields({ values, change }: Props) {
  const shown = lists.filter(([list, permission]) => values.permissions.includes(permission) || values[list].length > 0);
  return (
    <div className="fields grants">
      {shown.map(([list]) => (
        <TextArea
          key={list}
          label={t[list].label}
          hint={t[list].hint}
          className="input mono"
          rows={Math.max(2, values[list].length)}
          spellCheck={false}
          value={values[list].join('\n')}
          onValue={(text) => change({ [list]: text === '' ? [] : text.split('\n') })}
        />
      ))}
      {values.permissions.includes('tasks_start') || values.may_start.length > 0 ? <MayStart values={values} change={change} /> : null}
    </div>
  );
}

function MayStart({ values: { may_start }, change }: Props) {
  const { data: tasks = [] } = useQuery(taskNames);
  const open = tasks.filter(({ id }) => !may_start.includes(id));
  return (
    <div>
      {may_start.length === 0 ? <p className="muted">{t.startsNothing}</p> : null}
      <ul className="desk-permissions">
        {may_start.map((id) => {
          const name = permissionText(`may_start:${id}`, tasks);
          return (
            <li key={id}>
              <span>{name}</span>
              <button
                type="button"
                className="button quiet"
                aria-label={editorText.removePermission(name)}
                onClick={() => change({ may_start: may_start.filter((one) => one !== id) })}
              >
                ✕
              </button>
            </li>
          );
        })}
      </ul>
      <SelectField
        label={t.addTask}
        value=""
        options={[['', editorText.choosePermission], ...open.map(({ id, name }) => [String(id), name] as const)]}
        onValue={(id) => id !== '' && change({ may_start: [...may_start, Number(id)] })}
      />
    </div>
  );
}
