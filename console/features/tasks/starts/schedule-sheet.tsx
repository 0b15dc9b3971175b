import type { Schedule } from '../../../../contract/schedules.ts';
import { declarationsOf } from '../../../parts/declarations.ts';
import { type FieldRows, Fields } from '../../../parts/fields.tsx';
import { startValues } from '../../../parts/parameter-form.tsx';
import type { RecordForm } from '../../../parts/record-form.ts';
import type { RecordKind } from '../../../parts/record-sheet.tsx';
import { tasksText } from '../../../texts/tasks.ts';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { Section } from '../../../ui/page.tsx';
import { Banner } from '../../../ui/tabs.tsx';
import { schedules, type TaskDetail } from '../queries.ts';
import { cronWords } from './cron-words.ts';
import { NextTimes } from './next-times.tsx';
import { StartSheetEnd } from './sheet-end.tsx';
import { GivenParameters, LastError } from './starts.tsx';
import { WhenFields } from './when-fields.tsx';

const t = tasksText.schedules;

type Values = Pick<Schedule, 'cron' | 'timezone' | 'parameters' | 'enabled' | 'overlap' | 'catch_up_seconds'>;
const HOUR = 3600;

export function scheduleKind(detail: TaskDetail, timezone: string, mayWrite: boolean): RecordKind<Schedule, Values> {
  const { id: taskId } = detail.task;
  const calls = schedules(taskId);
  const declarations = detail.current_version ? declarationsOf(detail.current_version) : [];
  return {
    resources: ['ai_tasks'],
    creation: {
      title: t.newTitle,
      start: () => ({
        ...{ cron: '', timezone, parameters: startValues(declarations), enabled: true },
        ...{ overlap: 'skip', catch_up_seconds: HOUR },
      }),
      create: calls.create,
    },
    key: ['ai_tasks.get_schedule', taskId],
    get: calls.get,
    nameOf: ({ cron }) => t.title(cronWords(cron)),
    valuesOf: ({ cron, timezone: zone, parameters, enabled, overlap, catch_up_seconds }) => ({
      ...{ cron, timezone: zone, parameters, enabled, overlap, catch_up_seconds },
    }),
    update: calls.update,
    fields: (form, isNew) => <ScheduleFields detail={detail} form={form} isNew={isNew} />,
    labelOf: (name) => names[name],
    above: ({ last_error, queued }) => (
      <>
        <LastError words={t.lastError} error={last_error} />
        {queued > 0 ? <Banner tone="move">{t.queued(queued)}</Banner> : null}
      </>
    ),
    below: (row, removed) => (
      <StartSheetEnd
        by={`schedule:${row.id}`}
        actsFor={row.acts_for}
        mayWrite={mayWrite}
        takeOver={() => calls.update(row.id, {}, {})}
        removal={{
          name: t.title(cronWords(row.cron)),
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

const rows: FieldRows<Values> = [
  { kind: 'tick', name: 'enabled', label: t.enabled },
  {
    kind: 'choice',
    name: 'overlap',
    label: t.overlap,
    options: (['skip', 'queue', 'allow'] as const).map((one) => [one, t.overlaps[one]]),
  },
];

type FormProps = { detail: TaskDetail; form: RecordForm<Values, unknown>; isNew: boolean };

function ScheduleFields({ detail, form, isNew }: FormProps) {
  const { values, set } = form;
  const declarations = detail.current_version ? declarationsOf(detail.current_version) : [];
  const catchUps = t.catchUps.some(([seconds]) => seconds === values.catch_up_seconds)
    ? t.catchUps
    : [...t.catchUps, [values.catch_up_seconds, t.catchUpOther(values.catch_up_seconds)] as const];
  return (
    <>
      <TextField
        label={t.cron}
        hint={t.cronHint}
        className="input mono"
        autoFocus={isNew}
        spellCheck={false}
        autoComplete="off"
        {...form.text('cron')}
      />
      <WhenFields cron={values.cron} set={(cron) => set('cron', cron)} />
      <Fields fields={[{ kind: 'zone', name: 'timezone', label: t.zone }]} form={form} />
      <NextTimes taskId={detail.task.id} cron={values.cron} timezone={values.timezone} />
      <Fields fields={rows} form={form} />
      <SelectField
        label={t.catchUp}
        value={String(values.catch_up_seconds)}
        options={catchUps.map(([seconds, name]) => [String(seconds), name] as const)}
        onValue={(seconds) => set('catch_up_seconds', Number(seconds))}
      />
      <Section title={t.parameters}>
        {declarations.length === 0 ? <p className="muted">{t.noParameters}</p> : null}
        <GivenParameters declarations={declarations} form={form} />
      </Section>
    </>
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
