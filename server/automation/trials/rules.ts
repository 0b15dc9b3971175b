import { TRIAL_LEAST_RUNS, type Trial, type TrialFigures, type VersionTrial } from '../../../contract/trials.ts';

/** Fewer failures than this may be chance, whatever share they are. */
const LEAST_FAILURES = 2;

/**
 * Why the version does worse than the one before it; null: it does not, as far as can be told (spec TV1). Effects are compared by the run in
 * the middle, so that one large run changes nothing.
 */
export function worseBy(trial: Trial, now: TrialFigures, before: TrialFigures): VersionTrial['reason'] {
  const { failure_points: points, effects_factor: factor } = trial;
  if (points !== null && now.runs >= TRIAL_LEAST_RUNS && before.runs >= TRIAL_LEAST_RUNS && now.failures >= LEAST_FAILURES) {
    const more = shareOf(now) - shareOf(before);
    // Shares are quotients, so an exact difference may come out a little too small.
    if (more >= points - 1e-9) return 'failures';
  }
  if (factor === null || now.effects === null || before.effects === null) return null;
  if (now.effects >= factor * Math.max(before.effects, 1)) return 'more_effects';
  return before.effects - now.effects >= 1 && now.effects * factor <= before.effects ? 'fewer_effects' : null;
}

function shareOf({ runs, failures }: TrialFigures): number {
  return (100 * failures) / runs;
}

/** `effects`: of each run that succeeded. */
export function figuresOf(failures: number, effects: readonly number[]): TrialFigures {
  return { runs: failures + effects.length, failures, effects: effects.length < TRIAL_LEAST_RUNS ? null : middle(effects) };
}

function middle(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  return ((sorted[Math.ceil(half) - 1] ?? 0) + (sorted[Math.floor(half)] ?? 0)) / 2;
}
