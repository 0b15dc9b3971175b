import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Schedule } from '../../../../contract/schedules.ts';
import { ParameterFields, startValues } from '../../../parts/parameter-form.tsx';
import { type RecordForm, useRecordForm } from '../../../parts/record-form.ts';
import { useShop } from '../../../parts/shop.ts';
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
import { ViewTab } from '../../../ui/toolbar.tsx';
import { ActsFor } from '../acts-for.tsx';
import { declarationsOf } from '../declarations.ts';
import { StartedRuns } from '../parts.tsx';
import { createSchedule, deleteSchedule, readSchedule, scheduleRecord, type TaskDetail, updateSchedule } from '../queries.ts';
import { NextTimes } from './next-times.tsx';

const t = tasksText.schedules;

type Values = Pick<Schedule, 'cron' | 'timezone' | 'parameters' | 'enabled' | 'overlap' | 'catch_up_seconds'>;
const HOUR = 3600;

const valuesOf = ({ cron, timezone, parameters, enabled, overlap, catch_up_seconds }: Schedule): Values => ({
  cron,
  timezone,
  parameters,
  enabled,
  overlap,
  catch_up_seconds,
});

export function NewSchedule({ detail, close, opened }: { detail: TaskDetail; close(): void; opened(id: number): void }) {
  const { timezone } = useShop();
  const queries = useQueryClient();
  const declarations = detail.current_version ? declarationsOf(detail.current_version) : [];
  const [start] = useState<Values>(() => ({
    cron: '',
    timezone,
    parameters: startValues(declarations),
    enabled: true,
    overlap: 'skip',
    catch_up_seconds: HOUR,
  }));
  const form = useRecordForm({
    values: start,
    send: (values, options) => createSchedule(detail.task.id, values, options),
    onSaved: ({ id }) => {
      void queries.invalidateQueries();
      opened(id);
    },
  });
  return (
    <Sheet title={t.newTitle} close={close}>
      <Unsaved isEdited={form.isEdited} />
      <ScheduleForm detail={detail} form={form} label={t.newTitle} isNew />
    </Sheet>
  );
}

type SheetProps = { detail: TaskDetail; scheduleId: number; mayWrite: boolean; close(): void };

export function ScheduleSheet({ detail, scheduleId, mayWrite, close }: SheetProps) {
  const record = useQuery(scheduleRecord(detail.task.id, scheduleId));
  const schedule = record.data?.value;
  return (
    <Sheet title={schedule ? t.title(schedule.cron) : ''} close={close}>
      {record.isPending ? <Skeleton /> : null}
      {record.error && !record.data ? <Problem error={record.error} retry={() => void record.refetch()} /> : null}
      {record.data ? <Edit detail={detail} schedule={record.data.value} etag={record.data.etag} mayWrite={mayWrite} close={close} /> : null}
    </Sheet>
  );
}

type EditProps = { detail: TaskDetail; schedule: Schedule; etag: string | undefined; mayWrite: boolean; close(): void };

function Edit({ detail, schedule, etag, mayWrite, close }: EditProps) {
  const queries = useQueryClient();
  const form = useRecordForm({
    values: valuesOf(schedule),
    etag,
    send: (values, options) => updateSchedule(detail.task.id, schedule.id, values, options),
    reread: async () => {
      const { value, etag: tag } = await readSchedule(detail.task.id, schedule.id);
      return { value: valuesOf(value), etag: tag };
    },
    onSaved: () => void queries.invalidateQueries(),
  });
  return (
    <>
      <Unsaved isEdited={form.isEdited} />
      {schedule.last_error === null ? null : (
        <Banner tone="fail">
          <strong>{t.lastError}</strong> {schedule.last_error}
        </Banner>
      )}
      {schedule.queued > 0 ? <Banner tone="move">{t.queued(schedule.queued)}</Banner> : null}
      <fieldset className="plain-fieldset" disabled={!mayWrite}>
        <ScheduleForm detail={detail} form={form} label={t.title(schedule.cron)} />
      </fieldset>
      <StartedRuns by={`schedule:${schedule.id}`} />
      <ActsFor adminId={schedule.acts_for} mayWrite={mayWrite} takeOver={() => updateSchedule(detail.task.id, schedule.id, {}, {})} />
      {mayWrite ? <Remove taskId={detail.task.id} id={schedule.id} close={close} /> : null}
    </>
  );
}

function Remove({ taskId, id, close }: { taskId: number; id: number; close(): void }) {
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const remove = useMutation({
    mutationFn: () => deleteSchedule(taskId, id),
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

type FormProps = { detail: TaskDetail; form: RecordForm<Values, Schedule>; label: string; isNew?: boolean };

function ScheduleForm({ detail, form, label, isNew = false }: FormProps) {
  const { values, set } = form;
  const declarations = detail.current_version ? declarationsOf(detail.current_version) : [];
  const catchUps = t.catchUps.some(([seconds]) => seconds === values.catch_up_seconds)
    ? t.catchUps
    : [...t.catchUps, [values.catch_up_seconds, t.catchUpOther(values.catch_up_seconds)] as const];
  return (
    <Form label={label} form={form} canSendUnedited={isNew} nameOf={(name) => names[name]}>
      <TextField
        label={t.cron}
        hint={t.cronHint}
        className="input mono"
        autoFocus={isNew}
        spellCheck={false}
        autoComplete="off"
        {...form.text('cron')}
      />
      <fieldset className="presets plain-fieldset" aria-label={t.often}>
        {t.presets.map(([cron, name]) => (
          <ViewTab key={cron} isOn={values.cron === cron} onClick={() => set('cron', cron)}>
            {name}
          </ViewTab>
        ))}
      </fieldset>
      <SelectField
        label={t.zone}
        value={values.timezone}
        pointer="/timezone"
        error={form.errorAt('timezone')}
        options={zonesWith(values.timezone).map((zone) => [zone, zone.replaceAll('_', ' ')] as const)}
        onValue={(zone) => set('timezone', zone)}
      />
      <NextTimes taskId={detail.task.id} cron={values.cron} timezone={values.timezone} />
      <Tick label={t.enabled} checked={values.enabled} onValue={(enabled) => set('enabled', enabled)} />
      <SelectField
        label={t.overlap}
        value={values.overlap}
        options={[
          ['skip', t.overlaps.skip],
          ['queue', t.overlaps.queue],
          ['allow', t.overlaps.allow],
        ]}
        onValue={(overlap) => set('overlap', overlap)}
      />
      <SelectField
        label={t.catchUp}
        value={String(values.catch_up_seconds)}
        options={catchUps.map(([seconds, name]) => [String(seconds), name] as const)}
        onValue={(seconds) => set('catch_up_seconds', Number(seconds))}
      />
      <Section title={t.parameters}>
        {declarations.length === 0 ? <p className="muted">{t.noParameters}</p> : null}
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

const names: Record<keyof Values, string> = {
  cron: t.cron,
  timezone: t.zone,
  parameters: t.parameters,
  enabled: t.enabled,
  overlap: t.overlap,
  catch_up_seconds: t.catchUp,
};

/** The zones that this browser knows, and the one that the schedule has. */
function zonesWith(zone: string): string[] {
  const known = Intl.supportedValuesOf('timeZone');
  return [...new Set([...known, 'UTC', zone])].toSorted();
}
