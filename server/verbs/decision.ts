import type { ChangeType } from '../../contract/changes.ts';
import type { DecisionAct } from '../../contract/decisions.ts';

/**
 * What a verb is about to decide. `decided` is all of it, computed from what the verb will do: it is what a passkey signs, so it has what the
 * admin must be able to rely on, and no secret.
 */
export type Decision = {
  acts: readonly [DecisionAct, ...DecisionAct[]];
  subject: { type: ChangeType; id: number | null };
  decided: Readonly<Record<string, unknown>>;
};

/** Thrown in place of a decision when the request is only looked at; what the verb has done until then is undone. */
export class Rehearsed extends Error {
  readonly decision: Decision;
  constructor(decision: Decision) {
    super('the request was only looked at');
    this.decision = decision;
  }
}
