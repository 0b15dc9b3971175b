import facts from 'virtual:task-facts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { EventType } from '../../../../contract/events.ts';
import type { JsonObject } from '../../../../contract/run-events.ts';
import type { Trigger } from '../../../../contract/triggers.ts';
import { ParameterFields, startValues } from '../../../parts/parameter-form.tsx';
import { type RecordForm, useRecordForm } from '../../../parts/record-form.ts';
import { Unsaved } from '../../../parts/unsaved.tsx';
import { tasksText } from '../../../texts/tasks.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { SelectField, TextField, Tick } from '../../../ui/field.tsx';
import { Form } from '../../../ui/form.tsx';
import { Section, Skeleton } from '../../../ui/page.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { Sheet } from '../../../ui/sheet.tsx';
import { Banner } from '../../../ui/tabs.tsx';
import { ActsFor } from '../acts-for.tsx';
import { declarationsOf } from '../declarations.ts';
import { StartedRuns } from '../parts.tsx';
import { createTrigger, deleteTrigger, readTrigger, type TaskDetail, triggerRecord, updateTrigger } from '../queries.ts';
import { type FilterRow, filterOfRows, rowsOfFilter } from './event-filter.ts';

const t = tasksText.triggers;
const eventNames = Object.entries(t.events).filter((entry): entry is [EventType, string] => entry[0] in facts.eventFields);

type Values = { event: EventType; filter: FilterRow[]; parameters: JsonObject; enabled: boolean };

const valuesOf = ({ event, filter, parameters, enabled }: Trigger): Values => ({
  event,
  filter: rowsOfFilter(filter),
  parameters,
  enabled,
});
const bodyOf = ({ filter, ...rest }: Values) => ({ ...rest, filter: filterOfRows(filter) });

export function NewTrigger({ detail, close, opened }: { detail: TaskDetail; close(): void; opened(id: number): void }) {
  const queries = useQueryClient();
  const declarations = detail.current_version ? declarationsOf(detail.current_version) : [];
  const [start] = useState<Values>(() => ({
    event: 'order.created',
    filter: [],
    parameters: startValues(declarations),
    enabled: true,
  }));
  const form = useRecordForm({
    values: start,
    send: (values, options) => createTrigger(detail.task.id, bodyOf(values), options),
    onSaved: ({ id }) => {
      void queries.invalidateQueries();
      opened(id);
    },
  });
  return (
    <Sheet title={t.newTitle} close={close}>
      <Unsaved isEdited={form.isEdited} />
      <TriggerForm detail={detail} form={form} label={t.newTitle} isNew />
    </Sheet>
  );
}

type SheetProps = { detail: TaskDetail; triggerId: number; mayWrite: boolean; close(): void };

export function TriggerSheet({ detail, triggerId, mayWrite, close }: SheetProps) {
  const record = useQuery(triggerRecord(detail.task.id, triggerId));
  const trigger = record.data?.value;
  return (
    <Sheet title={trigger ? t.events[trigger.event] : ''} close={close}>
      {record.isPending ? <Skeleton /> : null}
      {record.error && !record.data ? <Problem error={record.error} retry={() => void record.refetch()} /> : null}
      {record.data ? <Edit detail={detail} trigger={record.data.value} etag={record.data.etag} mayWrite={mayWrite} close={close} /> : null}
    </Sheet>
  );
}

type EditProps = { detail: TaskDetail; trigger: Trigger; etag: string | undefined; mayWrite: boolean; close(): void };

function Edit({ detail, trigger, etag, mayWrite, close }: EditProps) {
  const queries = useQueryClient();
  const form = useRecordForm({
    values: valuesOf(trigger),
    etag,
    send: (values, options) => updateTrigger(detail.task.id, trigger.id, bodyOf(values), options),
    reread: async () => {
      const { value, etag: tag } = await readTrigger(detail.task.id, trigger.id);
      return { value: valuesOf(value), etag: tag };
    },
    onSaved: () => void queries.invalidateQueries(),
  });
  return (
    <>
      <Unsaved isEdited={form.isEdited} />
      {trigger.last_error === null ? null : (
        <Banner tone="fail">
          <strong>{t.lastError}</strong> {trigger.last_error}
        </Banner>
      )}
      <fieldset className="plain-fieldset" disabled={!mayWrite}>
        <TriggerForm detail={detail} form={form} label={t.events[trigger.event]} />
      </fieldset>
      <StartedRuns by={`trigger:${trigger.id}`} />
      <ActsFor adminId={trigger.acts_for} mayWrite={mayWrite} takeOver={() => updateTrigger(detail.task.id, trigger.id, {}, {})} />
      {mayWrite ? <Remove taskId={detail.task.id} id={trigger.id} close={close} /> : null}
    </>
  );
}

function Remove({ taskId, id, close }: { taskId: number; id: number; close(): void }) {
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const remove = useMutation({
    mutationFn: () => deleteTrigger(taskId, id),
    onSuccess: () => {
      close();
      void queries.invalidateQueries();
    },
  });
  return (
    <>
      <Button kind="danger" onClick={() => setAsking(true)}>
        {t.remove}
      </Button>
      {isAsking ? (
        <Confirm
          title={t.removeTitle}
          act={t.remove}
          isDanger
          isBusy={remove.isPending}
          error={remove.error}
          onAct={() => remove.mutate()}
          close={() => setAsking(false)}
        >
          <p>{t.removeDetail}</p>
        </Confirm>
      ) : null}
    </>
  );
}

type FormProps = { detail: TaskDetail; form: RecordForm<Values, Trigger>; label: string; isNew?: boolean };

function TriggerForm({ detail, form, label, isNew = false }: FormProps) {
  const { values, set } = form;
  const declarations = detail.current_version ? declarationsOf(detail.current_version) : [];
  return (
    <Form label={label} form={form} canSendUnedited={isNew} nameOf={(name) => names[name]}>
      <SelectField
        label={t.event}
        value={values.event}
        options={eventNames}
        pointer="/event"
        error={form.errorAt('event')}
        autoFocus={isNew}
        onValue={(event) => set('event', event)}
      />
      <Conditions
        rows={values.filter}
        fields={facts.eventFields[values.event]}
        errorAt={form.errorAt}
        onRows={(filter) => set('filter', filter)}
      />
      <Tick label={t.enabled} checked={values.enabled} onValue={(enabled) => set('enabled', enabled)} />
      <Section title={t.parameters}>
        <p className="muted">{t.parametersHint}</p>
        <div className="fields">
          <ParameterFields
            declarations={declarations}
            values={values.parameters}
            onValues={(parameters) => set('parameters', parameters)}
            errorAt={form.errorAt}
          />
        </div>
      </Section>
    </Form>
  );
}

const names: Record<keyof Values, string> = { event: t.event, filter: t.filter, parameters: t.parameters, enabled: t.enabled };

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
