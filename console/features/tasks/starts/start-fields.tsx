import { useId } from 'react';
import type { RecordForm } from '../../../parts/record-form.ts';
import { gatheringText as t } from '../../../texts/gathering.ts';
import { DecimalField, NumberField, SelectField, TextField } from '../../../ui/field.tsx';
import { Section } from '../../../ui/page.tsx';
import type { StartValues } from './start-values.ts';

type Form = Pick<RecordForm<{ start: StartValues }, unknown>, 'values' | 'set' | 'errors'>;
/** `keys`: the fields by which starts are told apart. `keyHint`: what a key may be. */
type Props = { form: Form; keys: readonly string[]; keyHint: string };

const hows = ['single', 'debounce', 'batch'] as const;
const overflows = ['queue', 'skip'] as const;

/** How events or calls become runs: gathered, later, for a time, at a rate. */
export function StartFields({ form, keys, keyHint }: Props) {
  const list = useId();
  const { start } = form.values;
  const set = (change: Partial<StartValues>): void => form.set('start', { ...start, ...change });
  const at = (pointer: string) => ({ pointer, error: form.errors.find((one) => one.pointer === pointer)?.detail });
  const key = { list, hint: keyHint, autoComplete: 'off' };
  return (
    <Section title={t.title}>
      <datalist id={list}>
        {keys.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <div className="fields">
        <SelectField
          label={t.how}
          {...at('/start/batch')}
          value={start.how}
          options={hows.map((how) => [how, t.hows[how]] as const)}
          onValue={(how) => set({ how: hows.find((one) => one === how) ?? 'single' })}
        />
        {start.how === 'single' ? null : (
          <div className="form-row">
            <DecimalField
              label={t.seconds[start.how]}
              unit={t.second}
              {...at(`/start/${start.how}/ms`)}
              value={start.seconds}
              onValue={(seconds) => set({ seconds })}
            />
            {start.how === 'batch' ? (
              <NumberField label={t.max} {...at('/start/batch/max')} value={start.max} onValue={(max) => set({ max })} />
            ) : (
              <TextField label={t.key} {...key} {...at('/start/debounce/key')} value={start.key} onValue={(value) => set({ key: value })} />
            )}
          </div>
        )}
        <div className="form-row">
          <DecimalField
            label={t.delay}
            unit={t.second}
            hint={t.delayHint}
            {...at('/start/delay')}
            value={start.delay}
            onValue={(delay) => set({ delay })}
          />
          <DecimalField
            label={t.ttl}
            unit={t.second}
            hint={t.ttlHint}
            {...at('/start/ttl')}
            value={start.ttl}
            onValue={(ttl) => set({ ttl })}
          />
        </div>
        <NumberField
          label={t.rate}
          hint={t.rateHint}
          {...at('/start/rate/per_minute')}
          value={start.per_minute}
          onValue={(per_minute) => set({ per_minute })}
        />
        {start.per_minute === null ? null : (
          <div className="form-row">
            <SelectField
              label={t.overflow}
              {...at('/start/rate/overflow')}
              value={start.overflow}
              options={overflows.map((one) => [one, t.overflows[one]] as const)}
              onValue={(one) => set({ overflow: one === 'skip' ? 'skip' : 'queue' })}
            />
            {start.how === 'batch' ? null : (
              <TextField
                label={t.rateKey}
                {...key}
                {...at('/start/rate/key')}
                value={start.rate_key}
                onValue={(rate_key) => set({ rate_key })}
              />
            )}
          </div>
        )}
      </div>
    </Section>
  );
}
