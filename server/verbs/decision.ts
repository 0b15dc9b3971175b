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
  /**
   * Whether it takes a second owner where the policy does (spec DE9). `needed`: it could get round that, as another owner would; `settled`: it
   * is itself that of one of two. Without it: where the acts have `policy`.
   */
  second?: 'needed' | 'settled';
};
