import type { Logger } from 'pino';
import { isPassing } from '../../db/faults.ts';
import type { Store } from '../../db/open.ts';
import { type LogLine, writeLog } from './domain.ts';

/** So long a line may wait for others, with which it is stored. */
const WAIT_MS = 250;
const MOST_WAITING = 500;
/** Lines that could not be stored are tried again so much later, up to so many of them. */
const AGAIN_MS = 5000;
const MOST_KEPT = 5000;

type Waiting = { line: LogLine; now: string };

/** Stores lines of the admins' log that belong to no other write: in the order in which they came, those that wait in one transaction. */
export class LogLines {
  readonly #store: Pick<Store, 'write'>;
  readonly #log: Pick<Logger, 'error'>;
  #waiting: Waiting[] = [];
  #timer: NodeJS.Timeout | undefined;
  #stored: Promise<void> = Promise.resolve();

  constructor(store: Pick<Store, 'write'>, log: Pick<Logger, 'error'>) {
    this.#store = store;
    this.#log = log;
  }

  /** Stores the line soon. Where the process is killed before, the line is lost. */
  later(line: LogLine): void {
    this.#add(line);
    if (this.#waiting.length === MOST_WAITING) void this.#flushOrTell();
    else this.#flushIn(WAIT_MS);
  }

  /** Stores the line, and those that wait, before it resolves. It rejects where that fails; if only for now, they are tried again. */
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
      try {
        await this.#store.write(async (db) => {
          for (const { line, now } of lines) await writeLog({ db, now }, line);
        });
      } catch (error) {
        // A line that no store takes must not hold up all others.
        if (isPassing(error)) this.#keep(lines);
        else this.#log.error({ lines: lines.length }, 'lines of the log were dropped');
        throw error;
      }
    });
    this.#stored = stored.catch(() => undefined);
    return stored;
  }

  #flushIn(ms: number): void {
    this.#timer ??= setTimeout(() => void this.#flushOrTell(), ms).unref();
  }

  #keep(lines: readonly Waiting[]): void {
    this.#waiting.unshift(...lines);
    const { length } = this.#waiting.splice(MOST_KEPT);
    if (length > 0) this.#log.error({ lines: length }, 'too many lines of the log wait to be stored: the newest were dropped');
    this.#flushIn(AGAIN_MS);
  }

  async #flushOrTell(): Promise<void> {
    try {
      await this.#flush();
    } catch (err) {
      this.#log.error({ err, lines: this.#waiting.length }, 'lines of the log could not be stored');
    }
  }
}
