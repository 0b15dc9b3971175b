import type { TaskSettings } from '../../../../contract/tasks.ts';
import { tasksText } from '../../../texts/tasks.ts';
import { DecimalField, NumberField, Tick } from '../../../ui/field.tsx';
import { Section } from '../../../ui/page.tsx';

const t = tasksText.settings.trial;
type Trial = NonNullable<TaskSettings['trial']>;

/** What the server sets where nothing else is said. */
const USUAL: Trial = { runs: 20, failure_points: 20, effects_factor: 2 };

type Props = { trial: TaskSettings['trial']; errorAt(pointer: string): string | undefined; set(trial: TaskSettings['trial']): void };

/** Whether new versions of the task are watched, and what counts as worse. */
export function TrialFields({ trial, errorAt, set }: Props) {
  const at = (name: keyof Trial) => ({ pointer: `/settings/trial/${name}`, error: errorAt(`/settings/trial/${name}`) });
  return (
    <Section title={t.title}>
      <p className="muted">{t.note}</p>
      <Tick label={t.isOn} checked={trial !== null} onValue={(isOn) => set(isOn ? USUAL : null)} />
      {trial === null ? null : (
        <div className="form-row">
          <NumberField label={t.runs} value={trial.runs} {...at('runs')} onValue={(runs) => set({ ...trial, runs: runs ?? 0 })} />
          <NumberField
            label={t.failures}
            hint={t.failuresHint}
            value={trial.failure_points}
            {...at('failure_points')}
            onValue={(failure_points) => set({ ...trial, failure_points })}
          />
          <DecimalField
            label={t.effects}
            hint={t.effectsHint}
            value={trial.effects_factor}
            {...at('effects_factor')}
            onValue={(effects_factor) => set({ ...trial, effects_factor })}
          />
        </div>
      )}
    </Section>
  );
}
