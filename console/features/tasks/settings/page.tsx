import facts from 'virtual:task-facts';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { Limits } from '../../../../contract/runner.ts';
import type { LimitsChange, Task, TaskSettings } from '../../../../contract/tasks.ts';
import type { Tagged } from '../../../api/client.ts';
import { countText } from '../../../language/formats.ts';
import { declarationsOf } from '../../../parts/declarations.ts';
import { EditForm } from '../../../parts/edit-form.tsx';
import { type FieldRows, Fields } from '../../../parts/fields.tsx';
import { changedOnly, type RecordForm, useRecordForm } from '../../../parts/record-form.ts';
import { Remove } from '../../../parts/remove.tsx';
import { useMay } from '../../../parts/shop.ts';
import { useReloadTasks } from '../../../parts/tasks.ts';
import { tasksText } from '../../../texts/tasks.ts';
import { NumberField, SelectField } from '../../../ui/field.tsx';
import { Section } from '../../../ui/page.tsx';
import { ActsFor } from '../acts-for.tsx';
import { TaskFrame } from '../frame.tsx';
import { deleteTask, readTask, type TaskDetail, updateTask } from '../queries.ts';
import { HandlerField } from './handler-field.tsx';
import { RetryFields } from './retry-fields.tsx';
import { TrialFields } from './trial-fields.tsx';

const t = tasksText.settings;
const route = getRouteApi('/tasks/$id/settings');

type LimitName = keyof Limits;
const limitNames: readonly LimitName[] = [
  'heap_mib',
  'cpu_seconds',
  'wall_seconds',
  'host_calls',
  'writes',
  'dry_run_writes',
  'log_bytes',
  'llm_tokens',
];

/** A limit that was emptied is null, which takes it away; the server keeps those that are not sent. */
type Values = { name: string; description: string; limits: LimitsChange } & Pick<
  TaskSettings,
  'on_interrupt' | 'stuck_minutes' | 'retry' | 'error_handler' | 'concurrency' | 'trial'
> & { max_attempts: number | null };

const basics: FieldRows<Values> = [
  { kind: 'text', name: 'name', label: t.name },
  { kind: 'area', name: 'description', label: t.description },
];
const attempts: FieldRows<Values> = [
  { kind: 'number', name: 'max_attempts', label: t.maxAttempts },
  {
    kind: 'choice',
    name: 'on_interrupt',
    label: t.onInterrupt,
    options: [
      ['hold', t.onInterrupts.hold],
      ['resume', t.onInterrupts.resume],
    ],
  },
  { kind: 'number', name: 'stuck_minutes', label: t.stuckMinutes, hint: t.stuckHint },
];

const valuesOf = ({ name, description, settings }: Task): Values => ({
  name,
  description,
  limits: { ...settings.limits },
  max_attempts: settings.max_attempts,
  on_interrupt: settings.on_interrupt,
  stuck_minutes: settings.stuck_minutes,
  retry: settings.retry,
  error_handler: settings.error_handler,
  concurrency: settings.concurrency,
  trial: settings.trial,
});

export function TaskSettingsPage() {
  const id = Number(route.useParams().id);
  const mayWrite = useMay()('admin_api.ai_tasks.write');
  return (
    <TaskFrame id={id}>
      {(detail) => (
        <>
          <fieldset className="plain-fieldset" disabled={!mayWrite || detail.value.task.deleted_at !== null}>
            <Settings detail={detail} mayWrite={mayWrite} />
          </fieldset>
          {mayWrite && detail.value.task.deleted_at === null ? <RemoveTask task={detail.value.task} /> : null}
        </>
      )}
    </TaskFrame>
  );
}

function Settings({ detail, mayWrite }: { detail: Tagged<TaskDetail>; mayWrite: boolean }) {
  const { task, current_version: version } = detail.value;
  const { etag } = detail;
  const reload = useReloadTasks();
  const form = useRecordForm({
    values: valuesOf(task),
    etag,
    send: ({ name, description, limits, error_handler, max_attempts, ...settings }, options, base) => {
      // Whoever sends the handler is from then on the admin for whom it acts, so it is sent only when it was changed.
      const handler = changedOnly({ error_handler }, { error_handler: base.error_handler });
      const attempts = { max_attempts: max_attempts ?? 0 };
      return updateTask(task.id, { name, description, settings: { ...settings, ...attempts, ...handler, limits } }, options);
    },
    reread: async () => {
      const { value, etag: tag } = await readTask(task.id);
      return { value: valuesOf(value.task), etag: tag };
    },
    onSaved: () => void reload(),
  });
  const parameters = version ? declarationsOf(version).map(({ name }) => name) : [];
  return (
    <EditForm label={tasksText.tabs.settings} form={form} nameOf={(name) => names[name]}>
      <Section title={t.basics}>
        <div className="fields">
          <Fields fields={basics} form={form} />
        </div>
      </Section>
      <LimitFields form={form} />
      <Section title={t.attempts}>
        <div className="fields">
          <Fields fields={attempts} form={form} at="/settings" />
        </div>
      </Section>
      <RetryFields
        retry={form.values.retry}
        errorAt={form.errorAt}
        set={(changed) => form.set('retry', { ...form.values.retry, ...changed })}
      />
      <HandlerField handler={form.values.error_handler} errorAt={form.errorAt} set={(handler) => form.set('error_handler', handler)}>
        {task.settings.error_handler && task.error_handler_acts_for !== null ? (
          <ActsFor adminId={task.error_handler_acts_for} mayWrite={mayWrite} takeOver={() => updateTask(task.id, {}, {})} />
        ) : null}
      </HandlerField>
      <ConcurrencyFields form={form} parameters={parameters} />
      <TrialFields trial={form.values.trial} errorAt={form.errorAt} set={(trial) => form.set('trial', trial)} />
    </EditForm>
  );
}

type PartProps = { form: RecordForm<Values, Task> };

function LimitFields({ form }: PartProps) {
  const { limits } = form.values;
  return (
    <Section title={t.limits}>
      <p className="muted">{t.limitsHint}</p>
      <div className="form-row">
        {limitNames.map((name) => {
          const usual = facts.limits[name];
          const pointer = `/settings/limits/${name}`;
          return (
            <NumberField
              key={name}
              label={t.limitNames[name]}
              value={limits[name] ?? null}
              hint={t.usual(usual === null ? t.noLimit : countText(usual))}
              pointer={pointer}
              error={form.errorAt(pointer)}
              onValue={(value) => form.set('limits', { ...limits, [name]: value })}
            />
          );
        })}
      </div>
    </Section>
  );
}

function ConcurrencyFields({ form, parameters }: PartProps & { parameters: readonly string[] }) {
  const { concurrency } = form.values;
  const set = (changed: Partial<Values['concurrency']>): void => form.set('concurrency', { ...concurrency, ...changed });
  const keys = [...new Set(['', ...parameters, ...(concurrency.key === null ? [] : [concurrency.key])])];
  return (
    <Section title={t.concurrency}>
      <div className="form-row">
        <NumberField
          label={t.limit}
          hint={t.limitHint}
          value={concurrency.limit}
          pointer="/settings/concurrency/limit"
          error={form.errorAt('/settings/concurrency/limit')}
          onValue={(limit) => set({ limit })}
        />
        <SelectField
          label={t.key}
          value={concurrency.key ?? ''}
          pointer="/settings/concurrency/key"
          error={form.errorAt('/settings/concurrency/key')}
          options={keys.map((key) => [key, key === '' ? t.keyTogether : t.keyOf(key)] as const)}
          onValue={(key) => set({ key: key === '' ? null : key })}
        />
        <SelectField
          label={t.overflow}
          value={concurrency.overflow}
          options={[
            ['queue', t.overflows.queue],
            ['skip', t.overflows.skip],
          ]}
          onValue={(overflow) => set({ overflow })}
        />
      </div>
    </Section>
  );
}

const names: Record<keyof Values, string> = {
  name: t.name,
  description: t.description,
  limits: t.limits,
  max_attempts: t.maxAttempts,
  on_interrupt: t.onInterrupt,
  stuck_minutes: t.stuckMinutes,
  retry: t.retry.title,
  error_handler: t.handler.title,
  concurrency: t.concurrency,
  trial: t.trial.title,
};

function RemoveTask({ task }: { task: Task }) {
  const navigate = useNavigate();
  const reload = useReloadTasks();
  return (
    <Section title={t.removeSection}>
      <p className="muted">{t.removeNote}</p>
      <Remove
        name={task.name}
        act={t.remove}
        title={t.removeTitle(task.name)}
        run={() => deleteTask(task.id)}
        onDone={async () => {
          await navigate({ to: '/tasks', ignoreBlocker: true });
          void reload();
        }}
      >
        <p>{t.removeDetail}</p>
      </Remove>
    </Section>
  );
}
