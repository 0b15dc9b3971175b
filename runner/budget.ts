/**
 * Counts exactly how many calls took effect. One unit is reserved when a call is sent and refunded when the call turns out
 * to cost nothing. `wait`: all units are reserved, but a call in flight may still refund its unit.
 */
export type Budget = {
  limit: number | null;
  /** How many calls have taken effect. */
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
