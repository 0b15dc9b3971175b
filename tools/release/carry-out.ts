import { CommandFailed } from './run.ts';

/** How a release is made: `dryRun`: nothing is published. `registry`: null for npm's own. `commit`: what it is made of, from the step `tree` on. */
export type Release = { dryRun: boolean; registry: string | null; provenance: boolean; startedOn: Date; command: string; commit?: string };

/** A part of a release: it resolves with what it found or made, in a line, and throws a `StepFailed` that says what is to be done. */
export type Step = { name: string; carryOut(release: Release): Promise<string> };

export class StepFailed extends Error {}

/** Carries out the steps, one after the other, and tells each with its seconds. After one that failed, the rest is not begun; returns the exit code. */
export async function carryOut(steps: readonly Step[], release: Release, tell: (line: string) => void): Promise<number> {
  for (const [n, { name, carryOut: work }] of steps.entries()) {
    const began = performance.now();
    const line = (sign: string, text: string) =>
      `${sign} ${name.padEnd(12)} ${((performance.now() - began) / 1000).toFixed(1).padStart(6)} s  ${text}`;
    try {
      tell(line('ok    ', await work(release)));
    } catch (error) {
      if (!(error instanceof StepFailed || error instanceof CommandFailed)) throw error;
      tell(line('FAILED', error.message));
      if (error instanceof CommandFailed) tell(error.output);
      const rest = steps.slice(n + 1).map((step) => step.name);
      if (rest.length > 0) tell(`not begun: ${rest.join(', ')}`);
      return 1;
    }
  }
  return 0;
}
