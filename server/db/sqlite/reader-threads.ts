import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import {
  CompiledQuery as Compiled,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { Database } from '../tables.ts';

/** One core is left for the server's main thread. */
const MAX_THREADS = Math.max(1, Math.min(4, availableParallelism() - 1));
/** A thread without a query for so long ends: it holds 15 MB. */
const IDLE_MS = 60_000;

/** SQLite runs a query on the calling thread, so slow reads run in threads of their own. */
export function openReaderThreads(path: string, idleMs = IDLE_MS): Kysely<Database> {
  const dialect: Dialect = {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new ReaderThreads(path, idleMs),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
  return new Kysely<Database>({ dialect });
}

type Waiting = { resolve(thread: ReaderThread): void; reject(error: Error): void };

/** Starts threads when they are first needed, and ends them when they are not any more; if all are busy, callers wait in line. */
class ReaderThreads implements Driver {
  readonly #path: string;
  readonly #idleMs: number;
  /** The idle threads, each with the timer that ends it. */
  readonly #idle = new Map<ReaderThread, NodeJS.Timeout>();
  readonly #all = new Set<ReaderThread>();
  readonly #line: Waiting[] = [];
  constructor(path: string, idleMs: number) {
    this.#path = path;
    this.#idleMs = idleMs;
  }
  async init(): Promise<void> {}
  async acquireConnection(): Promise<ReaderThread> {
    const thread = this.#takeIdle() ?? (this.#all.size < MAX_THREADS ? this.#start() : undefined);
    if (!thread) return new Promise((resolve, reject) => this.#line.push({ resolve, reject }));
    thread.ref();
    return thread;
  }
  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    if (!(connection instanceof ReaderThread)) throw new TypeError('not a connection of this driver');
    const next = this.#line.shift();
    if (next && this.#all.has(connection)) return next.resolve(connection);
    connection.unref();
    if (this.#all.has(connection)) this.#keepIdle(connection);
    else if (next) this.acquireConnection().then(next.resolve, next.reject);
  }
  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(Compiled.raw('begin'));
  }
  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(Compiled.raw('commit'));
  }
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(Compiled.raw('rollback'));
  }
  async destroy(): Promise<void> {
    for (const thread of this.#idle.keys()) this.#forgetIdle(thread);
    for (const { reject } of this.#line.splice(0)) reject(new Error('the store is closing'));
    await Promise.all([...this.#all].map((thread) => thread.stop()));
  }

  /** The thread that became idle last, so that the others may end. */
  #takeIdle(): ReaderThread | undefined {
    const thread = [...this.#idle.keys()].at(-1);
    if (thread) this.#forgetIdle(thread);
    return thread;
  }
  #keepIdle(thread: ReaderThread): void {
    const end = (): void => {
      this.#idle.delete(thread);
      this.#all.delete(thread);
      void thread.stop();
    };
    this.#idle.set(thread, setTimeout(end, this.#idleMs).unref());
  }
  #forgetIdle(thread: ReaderThread): void {
    clearTimeout(this.#idle.get(thread));
    this.#idle.delete(thread);
  }

  #start(): ReaderThread {
    const thread = new ReaderThread(this.#path, () => {
      this.#all.delete(thread);
      this.#forgetIdle(thread);
    });
    this.#all.add(thread);
    return thread;
  }
}

class ReaderThread implements DatabaseConnection {
  readonly #worker: Worker;
  #settle: ((outcome: Outcome) => void) | undefined;
  #ended = false;
  constructor(path: string, onEnd: () => void) {
    this.#worker = new Worker(new URL('./reader-thread.ts', import.meta.url), {
      workerData: { path },
      execArgv: ['--disable-warning=ExperimentalWarning'],
    });
    this.#worker.on('message', (message: Outcome) => this.#answer(message));
    this.#worker.on('error', ({ message }) => this.#answer({ failure: message, code: '' }));
    this.#worker.on('exit', () => {
      this.#ended = true;
      onEnd();
      this.#answer({ failure: 'the reader thread has ended', code: '' });
    });
  }
  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#ended) throw new Error('the reader thread has ended');
    const outcome = await new Promise<Outcome>((resolve) => {
      this.#settle = resolve;
      this.#worker.postMessage({ sql, parameters });
    });
    if ('failure' in outcome) throw Object.assign(new Error(outcome.failure), { code: outcome.code });
    return { rows: outcome.rows as R[] };
  }
  // biome-ignore lint/correctness/useYield: nothing streams from here.
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('a reader thread gives whole results');
  }
  /** A thread with a query under way keeps the process alive; an idle thread does not. */
  ref(): void {
    this.#worker.ref();
  }
  unref(): void {
    this.#worker.unref();
  }
  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
  #answer(outcome: Outcome): void {
    const settle = this.#settle;
    this.#settle = undefined;
    settle?.(outcome);
  }
}

/** What reader-thread.ts sends back. */
type Outcome = { rows: unknown[] } | { failure: string; code: string };
