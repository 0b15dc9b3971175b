import type { Json } from '../../../contract/run-events.ts';
import type { TaskVariable } from '../../../contract/task-variables.ts';
import { blanks } from '../../parts/blanks.ts';
import { needed } from '../../parts/record-form.ts';
import { Moment } from '../../parts/values.tsx';
import { secretsText } from '../../texts/secrets.ts';
import { valueText } from '../../ui/change.tsx';
import { Facts } from '../../ui/page.tsx';
import { libraryPage } from './library-page.tsx';
import { calls } from './queries.ts';
import { ForTask, foundIn } from './task-values.tsx';

const t = secretsText.variables;

/** Nothing typed is undefined. */
type Values = { isNew: boolean; name: string; task_id: number | null; value: Json | undefined; note: string };

const given = (value: Json | undefined): Json => (value === undefined ? needed(null, 'value') : value);

function About({ row }: { row: TaskVariable }) {
  return (
    <Facts
      facts={[
        [t.use, <code key="use">{`await variables.get('${row.name}')`}</code>],
        [t.fields.task_id, <ForTask key="for" id={row.task_id} all={t.shop} />],
        [t.by, row.created_by_name],
        [t.changed, <Moment key="changed" at={row.updated_at} />],
      ]}
    />
  );
}

export const VariablesPage = libraryPage<TaskVariable, Values>({
  path: '/library/variables',
  resource: 'task_variables',
  blank: blanks.variables,
  texts: t,
  nameOf: ({ name }) => name,
  columns: [
    { name: 'name', head: t.fields.name, cell: ({ name }) => <code>{name}</code> },
    { name: 'value', head: t.fields.value, cell: ({ value }) => valueText(value) },
    { name: 'for', head: t.fields.task_id, cell: ({ task_id }) => <ForTask id={task_id} all={t.shop} /> },
    { name: 'note', head: t.fields.note, cell: ({ note }) => <span className="muted">{note}</span>, isMinor: true },
    { name: 'by', head: t.by, cell: ({ created_by_name }) => created_by_name, isMinor: true },
    { name: 'changed', head: t.changed, cell: ({ updated_at }) => <Moment at={updated_at} />, isMinor: true },
  ],
  calls: {
    ...calls.task_variables,
    list: async (query) => foundIn(await calls.task_variables.list(), query, ({ name, note }) => [name, note]),
  },
  update: (id, { value, note }, options) => calls.task_variables.update(id, { value: given(value), note }, options),
  valuesOf: ({ name, task_id, value, note }) => ({ isNew: false, name, task_id, value, note }),
  creation: {
    start: { isNew: true, name: '', task_id: null, value: undefined, note: '' },
    create: ({ name, task_id, value, note }, options) => calls.task_variables.create({ name, task_id, value: given(value), note }, options),
  },
  Above: About,
  fields: [
    { kind: 'text', name: 'name', label: t.fields.name, hint: t.nameHint, isShown: ({ isNew }) => isNew },
    { kind: 'task', name: 'task_id', label: t.find, none: t.shop, isShown: ({ isNew }) => isNew },
    { kind: 'json', name: 'value', label: t.fields.value, hint: t.valueHint },
    { kind: 'area', name: 'note', label: t.fields.note },
  ],
});
