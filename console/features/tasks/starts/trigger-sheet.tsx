import facts from 'virtual:task-facts';
import { useId } from 'react';
import type { EventType } from '../../../../contract/events.ts';
import type { JsonObject } from '../../../../contract/run-events.ts';
import type { Trigger } from '../../../../contract/triggers.ts';
import { declarationsOf } from '../../../parts/declarations.ts';
import { Fields } from '../../../parts/fields.tsx';
import { startValues } from '../../../parts/parameter-form.tsx';
import type { RecordForm } from '../../../parts/record-form.ts';
import type { RecordKind } from '../../../parts/record-sheet.tsx';
import { eventNames } from '../../../texts/events.ts';
import { gatheringText } from '../../../texts/gathering.ts';
import { tasksText } from '../../../texts/tasks.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Section } from '../../../ui/page.tsx';
import { type TaskDetail, triggers } from '../queries.ts';
import { type FilterRow, filterOfRows, rowsOfFilter } from './event-filter.ts';
import { StartSheetEnd } from './sheet-end.tsx';
import { StartFields } from './start-fields.tsx';
import { plainStart, type StartValues, startOf, startValuesOf } from './start-values.ts';
import { GivenParameters, LastError } from './starts.tsx';
import { WaitingStarts } from './waiting-starts.tsx';

const t = tasksText.triggers;
const named = Object.entries(eventNames).filter((entry): entry is [EventType, string] => entry[0] in facts.eventFields);

type Values = { event: EventType; filter: FilterRow[]; parameters: JsonObject; enabled: boolean; start: StartValues };
const bodyOf = ({ filter, start, ...rest }: Values) => ({ ...rest, filter: filterOfRows(filter), start: startOf(start) });

export function triggerKind(detail: TaskDetail, mayWrite: boolean): RecordKind<Trigger, Values> {
  const { id: taskId } = detail.task;
  const calls = triggers(taskId);
  const declarations = detail.current_version ? declarationsOf(detail.current_version) : [];
  return {
    resources: ['ai_tasks'],
    creation: {
      title: t.newTitle,
      start: () => ({
        ...{ event: 'order.created', filter: [], parameters: startValues(declarations), enabled: true, start: plainStart },
      }),
      create: (values, options) => calls.create(bodyOf(values), options),
    },
    key: ['ai_tasks.get_trigger', taskId],
    get: calls.get,
    nameOf: ({ event }) => eventNames[event],
    valuesOf: ({ event, filter, parameters, enabled, start }) => ({
      ...{ event, filter: rowsOfFilter(filter), parameters, enabled, start: startValuesOf(start) },
    }),
    update: (id, values, options) => calls.update(id, bodyOf(values), options),
    fields: (form, isNew) => <TriggerFields detail={detail} form={form} isNew={isNew} />,
    labelOf: (name) => names[name],
    above: ({ id, last_error, start }) => (
      <>
        <LastError words={t.lastError} error={last_error} />
        <WaitingStarts
          taskId={taskId}
          keyName={start.debounce?.key ?? null}
          isOwn={({ trigger_id }) => trigger_id === id}
          mayWrite={mayWrite}
        />
      </>
    ),
    below: (row, removed) => (
      <StartSheetEnd
        by={`trigger:${row.id}`}
        actsFor={row.acts_for}
        mayWrite={mayWrite}
        takeOver={() => calls.update(row.id, {}, {})}
        removal={{
          name: eventNames[row.event],
          act: t.remove,
          title: t.removeTitle,
          detail: t.removeDetail,
          run: () => calls.remove(row.id),
        }}
        removed={removed}
      />
    ),
  };
}

type FormProps = { detail: TaskDetail; form: RecordForm<Values, unknown>; isNew: boolean };

function TriggerFields({ detail, form, isNew }: FormProps) {
  const { values, set } = form;
  const declarations = detail.current_version ? declarationsOf(detail.current_version) : [];
  return (
    <>
      <Fields fields={[{ kind: 'choice', name: 'event', label: t.event, options: named, autoFocus: isNew }]} form={form} />
      <Conditions
        rows={values.filter}
        fields={facts.eventFields[values.event]}
        errorAt={form.errorAt}
        onRows={(filter) => set('filter', filter)}
      />
      <Fields fields={[{ kind: 'tick', name: 'enabled', label: t.enabled }]} form={form} />
      <StartFields form={form} keys={facts.eventFields[values.event]} keyHint={gatheringText.eventKey} />
      <Section title={t.parameters}>
        <p className="muted">{values.start.how === 'batch' ? t.eventsHint : t.parametersHint}</p>
        <GivenParameters declarations={declarations} form={form} />
      </Section>
    </>
  );
}

const names: Record<keyof Values, string> = {
  ...{ event: t.event, filter: t.filter, parameters: t.parameters, enabled: t.enabled, start: gatheringText.title },
};

type ConditionsProps = {
  rows: readonly FilterRow[];
  fields: readonly string[];
  errorAt(pointer: string): string | undefined;
  onRows(rows: FilterRow[]): void;
};

function Conditions({ rows, fields, errorAt, onRows }: ConditionsProps) {
  const list = useId();
  const change = (at: number, next: Partial<FilterRow>): void =>
    onRows(rows.map((row, index) => (index === at ? { ...row, ...next } : row)));
  return (
    <fieldset className="conditions">
      <legend>{t.filter}</legend>
      <p className="muted">{t.filterHint}</p>
      <datalist id={list}>
        {fields.map((field) => (
          <option key={field} value={field} />
        ))}
      </datalist>
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row has no identity but its place
        <div className="condition" key={index}>
          <TextField label={t.field} list={list} value={row.field} onValue={(field) => change(index, { field })} />
          <TextField
            label={t.value}
            value={row.values}
            pointer={`/filter/${row.field}`}
            error={errorAt(`/filter/${row.field}`)}
            onValue={(written) => change(index, { values: written })}
          />
          <Button kind="quiet" aria-label={t.removeField(row.field)} onClick={() => onRows(rows.filter((_, other) => other !== index))}>
            ✕
          </Button>
        </div>
      ))}
      <div>
        <Button onClick={() => onRows([...rows, { field: fields[0] ?? '', values: '' }])}>{t.addField}</Button>
      </div>
    </fieldset>
  );
}
