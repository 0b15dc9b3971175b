/** Every write that the server acknowledged to the clients; afterwards each must be found in the shop. */
export class Ledger {
  /** The ids of the orders, in the sequence in which they were acknowledged. */
  readonly orders: number[] = [];
  /** The number of edits of each order. */
  readonly edits = new Map<number, number>();
  /** The sum of the manual stock corrections of each variant. */
  readonly stock = new Map<number, number>();
  readonly payments = new Set<number>();
  mails = 0;
  readonly actions = new Map<string, ActionFigures>();
  readonly faults: string[] = [];

  record(action: string, status: number, ms: number): void {
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
