/** A call of a script, from its arrival until the script has its answer. */
export type OpenCall = {
  /** The call as the order of answers names it. */
  orderName: string;
  /** Calls with the same text are writes to one place, or `once`, which may settle calls to any place. */
  place: string | null;
};
type Open = {
  call: OpenCall;
  position: number | null;
  deliver: (() => void) | null;
  blocked: ((again: boolean) => void) | null;
  triedAt: number;
};

/**
 * Decides when a script gets its answers. In a first attempt it gets each at once. In a later one the answers come first in the order in
 * which an earlier attempt got them, as far as that was stored, because a script may depend on which of several concurrent calls is
 * answered first. The answers that have no place in that order follow.
 */
export type AnswerGate = {
  /** `order`: the names of the answers that earlier attempts got, in their order. Called before the first call, if at all. */
  follow(order: readonly string[]): void;
  open(call: OpenCall): void;
  /** The answer is there; `deliver` gives it to the script. */
  answer(call: OpenCall, deliver: () => void): void;
  /** The call gets no answer. */
  drop(call: OpenCall): void;
  /** The script can continue only with a further answer. */
  rest(): void;
  /**
   * Waits, after the server has found another write where this one is made, until that may have changed. False: the script waits for
   * nothing else any more, so it makes a different write than the earlier attempt.
   */
  blocked(call: OpenCall): Promise<boolean>;
  /** What the calls under way wait for may have changed. */
  look(): void;
  /** An epoch has begun, in which no earlier attempt got answers. */
  passOrder(): void;
};

export type GateRules = {
  /** Whether the worker reports that the script rests; only an attempt that follows others needs it. */
  rests: boolean;
  /** How many calls wait for a person or for the end of another run. */
  questions(): number;
  /**
   * Called when an answer is given that has no place in the order, or not the next one. `after`: how many of the order were given before it
   * without a gap; `count`: how many answers the script has got with this one; `others`: it waits for other answers too.
   */
  onDelivered(call: OpenCall, given: { after: number; count: number; others: boolean }): void;
};

export function createAnswerGate({ rests, questions, onDelivered }: GateRules): AnswerGate {
  let positions: ReadonlyMap<string, number> = new Map();
  const open = new Map<OpenCall, Open>();
  const blocked = new Set<Open>();
  const atPosition = new Map<number, Open>();
  /** All answers before this place in the order were given. */
  let next = 0;
  const given = new Set<number>();
  let resting = false;
  let delivered = 0;
  /** How many answers are there and not given. */
  let held = 0;
  /** Counts what may change the server's mind about a blocked call. */
  let progress = 0;

  return {
    follow(order) {
      positions = new Map(order.map((name, position) => [name, position]));
    },
    open(call) {
      const position = positions.get(call.orderName) ?? null;
      const entry: Open = { call, position, deliver: null, blocked: null, triedAt: -1 };
      open.set(call, entry);
      if (position !== null) atPosition.set(position, entry);
    },
    answer(call, deliver) {
      const entry = open.get(call);
      if (!entry) return;
      entry.deliver = deliver;
      held += 1;
      progress += 1;
      for (const other of [...blocked]) if (other.call.place === call.place || call.place === 'once') retry(other, true);
      if (next >= positions.size) hand(entry);
      else look();
    },
    drop(call) {
      const entry = open.get(call);
      if (entry) close(entry);
      look();
    },
    rest() {
      resting = true;
      look();
    },
    blocked(call) {
      const entry = open.get(call);
      if (!entry || !rests) return Promise.resolve(false);
      return new Promise((resolve) => {
        entry.blocked = resolve;
        blocked.add(entry);
        look();
      });
    },
    look,
    passOrder() {
      positions = new Map();
      atPosition.clear();
      given.clear();
      next = 0;
      for (const entry of open.values()) entry.position = null;
      look();
    },
  };

  function look(): void {
    for (let entry = mayFollow(); entry; entry = mayFollow()) hand(entry);
    if (resting) lookAtBlocked();
  }

  /** The call whose answer is to be given now, if it is there. */
  function mayFollow(): Open | null {
    if (held === 0) return null;
    if (next >= positions.size) return firstWith(({ deliver }) => deliver !== null);
    const expected = atPosition.get(next);
    if (expected?.deliver) return expected;
    if (!resting || (expected && !expected.blocked)) return null;
    // The call at this place is not made this time, or only after another answer.
    const placed = firstPlaced();
    if (placed) return placed.deliver ? placed : null;
    return firstWith(({ deliver, position }) => deliver !== null && position === null);
  }

  function firstPlaced(): Open | null {
    let first: Open | null = null;
    for (const entry of atPosition.values()) {
      if (!entry.blocked && (first === null || Number(entry.position) < Number(first.position))) first = entry;
    }
    return first;
  }

  function firstWith(matches: (entry: Open) => boolean): Open | null {
    for (const entry of open.values()) if (matches(entry)) return entry;
    return null;
  }

  function hand(entry: Open): void {
    const { call, position, deliver } = entry;
    const followed = next < positions.size;
    close(entry);
    resting = false;
    progress += 1;
    delivered += 1;
    if (position !== next) onDelivered(call, { after: next, count: delivered, others: open.size > 0 });
    if (position !== null) given.add(position);
    while (given.delete(next)) next += 1;
    deliver?.();
    // The last answer of the order was given, and others were kept back for it.
    if (followed && next >= positions.size) look();
  }

  function close(entry: Open): void {
    open.delete(entry.call);
    blocked.delete(entry);
    if (entry.deliver) held -= 1;
    if (entry.position !== null) atPosition.delete(entry.position);
  }

  /** Where all calls are blocked, each is tried once more, one after the other, before one of them counts as different. */
  function lookAtBlocked(): void {
    if (blocked.size === 0 || open.size > blocked.size + questions()) return;
    const [first] = blocked;
    const untried = [...blocked].find(({ triedAt }) => triedAt !== progress);
    if (untried) retry(untried, true);
    else if (first) retry(first, false);
  }

  function retry(entry: Open, again: boolean): void {
    const settle = entry.blocked;
    entry.blocked = null;
    entry.triedAt = progress;
    blocked.delete(entry);
    settle?.(again);
  }
}
