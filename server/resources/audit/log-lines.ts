import type { Logger } from 'pino';
import type { Store } from '../../db/open.ts';
import { type LogLine, writeLog } from './domain.ts';

/** So long a line may wait for others, with which it is stored. */
const WAIT_MS = 250;
const MOST_WAITING = 500;

/** Stores lines of the admins' log that belong to no other write: in the order in which they came, those that wait in one transaction. */
export class LogLines {
  readonly #store: Store;
  readonly #log: Logger;
  #waiting: { line: LogLine; now: string }[] = [];
  #timer: NodeJS.Timeout | undefined;
  #stored: Promise<void> = Promise.resolve();

  constructor(store: Store, log: Logger) {
    this.#store = store;
    this.#log = log;
  }

  /** Stores the line soon. Where the process is killed before, the line is lost. */
  later(line: LogLine): void {
    this.#add(line);
    if (this.#waiting.length >= MOST_WAITING) void this.#flushOrTell();
    else this.#timer ??= setTimeout(() => void this.#flushOrTell(), WAIT_MS).unref();
  }

  /** Stores the line, and those that wait, before it resolves. */
  now(line: LogLine): Promise<void> {
    this.#add(line);
    return this.#flush();
  }

  /** Stores the lines that wait, at the end of the process. */
  async close(): Promise<void> {
    await this.#flushOrTell();
  }

  #add(line: LogLine): void {
    this.#waiting.push({ line, now: new Date().toISOString() });
  }

  #flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const lines = this.#waiting.splice(0);
    const before = this.#stored;
    const stored = before.then(async () => {
      if (lines.length === 0) return;
      await this.#store.write(async (db) => {
        for (const { line, now } of lines) await writeLog({ db, now }, line);
      });
    });
    this.#stored = stored.catch(() => undefined);
    return stored;
  }

  async #flushOrTell(): Promise<void> {
    try {
      await this.#flush();
    } catch (err) {
      this.#log.error({ err }, 'lines of the log could not be stored');
    }
  }
}
