/** What clients write. Each thing has a mark of its own, by which it is found in the shop. */
export const writtenKinds = ['order', 'note', 'stock', 'credit', 'customer', 'file', 'run'] as const;
export type WrittenKind = (typeof writtenKinds)[number];

/** `sent`: no answer yet; `acknowledged`: an answer said that it was done; `refused`: one said that it was not; `removed`: it was deleted again. */
export type Written = { kind: WrittenKind; mark: string; state: 'sent' | 'acknowledged' | 'refused' | 'removed'; id: number };

/** What the clients were told. Afterwards the shop is compared with it. */
export class Ledger {
  readonly written: Written[] = [];
  /** What no client may ever see, such as another answer to a repeated request. */
  readonly faults: string[] = [];
  /** How often a request got each status; 0: no answer came. */
  readonly statuses = new Map<number, number>();

  begin(kind: WrittenKind, mark: string): Written {
    const one: Written = { kind, mark, state: 'sent', id: 0 };
    this.written.push(one);
    return one;
  }

  count(status: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
  }

  of(kind: WrittenKind): Written[] {
    return this.written.filter((one) => one.kind === kind);
  }
}
