import facts from 'virtual:task-facts';
import type { TaskSettings } from '../../../../contract/tasks.ts';
import { runPartsText } from '../../../texts/run-parts.ts';
import { tasksText } from '../../../texts/tasks.ts';
import { DecimalField, NumberField, SelectField, Tick } from '../../../ui/field.tsx';
import { Section } from '../../../ui/page.tsx';

const t = tasksText.settings.retry;
const pointerOf = (name: keyof Retry): string => `/settings/retry/${name}`;
const msOf = (seconds: number | null): number => Math.round((seconds ?? 0) * 1000);

type Retry = TaskSettings['retry'];
type Props = { retry: Retry; errorAt(pointer: string): string | undefined; set(changed: Partial<Retry>): void };

/** When a run that ended badly begins again. */
export function RetryFields({ retry, errorAt, set }: Props) {
  const at = (name: keyof Retry) => ({ pointer: pointerOf(name), error: errorAt(pointerOf(name)) });
  return (
    <Section title={t.title}>
      <p className="muted">{t.note}</p>
      <div className="form-row">
        <NumberField
          label={t.attempts}
          hint={t.attemptsHint}
          value={retry.attempts}
          {...at('attempts')}
          onValue={(attempts) => set({ attempts: attempts ?? 0 })}
        />
        <SelectField
          label={t.backoff}
          value={retry.backoff}
          options={[
            ['exponential', t.backoffs.exponential],
            ['fixed', t.backoffs.fixed],
          ]}
          onValue={(backoff) => set({ backoff })}
        />
        <DecimalField
          label={t.first}
          value={retry.first_ms / 1000}
          {...at('first_ms')}
          onValue={(seconds) => set({ first_ms: msOf(seconds) })}
        />
        <DecimalField label={t.max} value={retry.max_ms / 1000} {...at('max_ms')} onValue={(seconds) => set({ max_ms: msOf(seconds) })} />
      </div>
      <fieldset className="part">
        <legend>{t.on}</legend>
        {facts.retried.map((reason) => (
          <Tick
            key={reason}
            label={runPartsText.ended[reason]}
            checked={retry.on.includes(reason)}
            onValue={(isOn) => set({ on: facts.retried.filter((one) => (one === reason ? isOn : retry.on.includes(one))) })}
          />
        ))}
      </fieldset>
    </Section>
  );
}
