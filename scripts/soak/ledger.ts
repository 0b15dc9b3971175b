/** What the clients were promised: each acknowledged write, to be found again in the shop. */
export class Ledger {
  /** Orders in the order in which they were acknowledged. */
  readonly orders: number[] = [];
  readonly edits = new Map<number, number>();
  /** Corrections by hand, by variant. */
  readonly stock = new Map<number, number>();
  readonly payments = new Set<number>();
  mails = 0;
  readonly actions = new Map<string, ActionFigures>();
  readonly faults: string[] = [];

  note(action: string, status: number, ms: number): void {
    const figures: ActionFigures = this.actions.get(action) ?? { statuses: new Map(), times: [] };
    figures.statuses.set(status, (figures.statuses.get(status) ?? 0) + 1);
    figures.times.push(ms);
    this.actions.set(action, figures);
  }

  add(counts: Map<number, number>, id: number, delta: number): void {
    counts.set(id, (counts.get(id) ?? 0) + delta);
  }
}

export type ActionFigures = { statuses: Map<number, number>; times: number[] };
