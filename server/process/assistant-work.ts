/** A turn of the assistant: a thread, and who holds the lease on it. */
export type Turn = { threadId: number; holder: string };

/** The way from the request that starts a turn to what works on it, which the server's assembly connects. */
export class AssistantWork {
  #work: ((turn: Turn) => Promise<void>) | undefined;
  readonly #going = new Set<Promise<void>>();

  /** Names what works on turns; it must not reject. */
  connect(work: (turn: Turn) => Promise<void>): void {
    this.#work = work;
  }

  /** To be called after the transaction that took the lease has committed. */
  begin(turn: Turn): void {
    if (!this.#work) return;
    const going: Promise<void> = this.#work(turn).finally(() => this.#going.delete(going));
    this.#going.add(going);
  }

  /** Resolves when no turn is under way. */
  async ended(): Promise<void> {
    await Promise.all(this.#going);
  }
}
