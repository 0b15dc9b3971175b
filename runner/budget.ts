/**
 * Counts what takes effect, to the exact number: a unit is reserved when a call is sent and given back when the
 * call turns out to cost nothing. At the limit, calls in flight may still give theirs back: `wait`.
 */
export type Budget = {
  limit: number | null;
  /** What has taken effect. */
  spent(): number;
  state(): 'free' | 'wait' | 'spent';
  reserve(): void;
  settle(outcome: 'spent' | 'refunded'): void;
};

export function createBudget(limit: number | null, alreadySpent = 0): Budget {
  let spent = alreadySpent;
  let inFlight = 0;
  return {
    limit,
    spent: () => spent,
    state() {
      if (limit === null || spent + inFlight < limit) return 'free';
      return spent >= limit ? 'spent' : 'wait';
    },
    reserve() {
      inFlight += 1;
    },
    settle(outcome) {
      inFlight -= 1;
      if (outcome === 'spent') spent += 1;
    },
  };
}
