import { hash } from 'node:crypto';
import type { PlannedWrite } from '../../automation/dry-runs/domain.ts';
import type { Db } from '../../db/open.ts';
import { keptIf } from '../../db/queries/savepoint.ts';
import { type Result, type Statement, type Watch, watched } from '../../db/watched.ts';
import type { Settings } from '../../values/settings.ts';
import type { TaskActor } from '../../verbs/context.ts';
import { SlotEnded } from './writer-slot.ts';

/** Statements of all plans whose statements are remembered, in bytes, approximately. */
const REMEMBERED_MAX_BYTES = 16 * 1024 * 1024;
const STATEMENT_BYTES = 150;
/** Results up to this size are kept as they are, longer ones as their hash. */
const RESULT_BYTES = 64;

type Ran = { query: Statement; result: string };

/** All that a write was told by the database, and by what else: two executions with equal ones are equal. */
export type Statements = { list: readonly Ran[]; bytes: number; given: string };

/** A planned write with the statements of its last execution; null: they are not known. */
export type KnownWrite = { write: PlannedWrite; statements: Statements | null };

/** Notes the statements that run through `db`. */
export class Recorder {
  readonly db: Db;
  #list: Ran[] = [];
  #bytes = 0;
  #hasFailed = false;

  constructor(db: Db, watch: Pick<Watch, 'before'> = {}) {
    this.db = watched(db, { ...watch, after: (query, result) => this.#note(query, result) });
  }

  /** The statements since the last call of this method; null if one of them failed, so that they cannot be repeated. */
  take(given: string): Statements | null {
    const taken = this.#hasFailed ? null : { list: this.#list, bytes: this.#bytes, given };
    this.#list = [];
    this.#bytes = 0;
    this.#hasFailed = false;
    return taken;
  }

  #note(query: Statement, result: Result | null): void {
    if (!result) this.#hasFailed = true;
    if (!result || this.#hasFailed) return;
    const known = { query: { ...query, sql: theText(query.sql) }, result: digest(result) };
    this.#list.push(known);
    this.#bytes += STATEMENT_BYTES + known.result.length + query.parameters.reduce<number>((sum, value) => sum + sizeOf(value), 0);
  }
}

/** Each text is kept once, although each execution compiles it anew. */
const texts = new Map<string, string>();
const TEXTS_MAX = 5000;

function theText(text: string): string {
  const known = texts.get(text);
  if (known !== undefined) return known;
  if (texts.size >= TEXTS_MAX) texts.clear();
  texts.set(text, text);
  return text;
}

function sizeOf(value: unknown): number {
  return typeof value === 'string' || Buffer.isBuffer(value) ? value.length : 8;
}

/** The parts of a result that our code reads. SQLite's last id is not one of them: ids come back in rows (RETURNING). */
function digest({ rows, numAffectedRows }: Result): string {
  return rows.length > 0 ? short(JSON.stringify(rows)) : String(numAffectedRows);
}

function short(text: string): string {
  return text.length > RESULT_BYTES ? hash('sha256', text, 'base64') : text;
}

/**
 * Repeats the statements of a write and compares what each returns. Where all are equal, the verb would have seen the same and done the same,
 * so it need not be executed. Otherwise nothing has changed, and the answer is false.
 */
export function redo(db: Db, { list }: Statements): Promise<boolean> {
  return keptIf(db, () => isRepeated(db, list));
}

async function isRepeated(db: Db, list: readonly Ran[]): Promise<boolean> {
  try {
    for (const { query, result } of list) if (digest(await db.executeQuery(query)) !== result) return false;
    return true;
  } catch (error) {
    if (error instanceof SlotEnded) throw error;
    return false;
  }
}

/** What a write depends on besides the database. */
export function givenOf({ adminId, name, permissions }: TaskActor, settings: Settings): string {
  return hash('sha256', JSON.stringify([adminId, name, [...permissions], settings]), 'base64');
}

/** The plans of dry runs as far as this server knows them; those that were used longest ago are forgotten first. */
export class KnownPlans {
  readonly #plans = new Map<string, { writes: KnownWrite[]; bytes: number }>();
  #bytes = 0;

  of(lineageId: string): readonly KnownWrite[] {
    return this.#plans.get(lineageId)?.writes ?? [];
  }

  keep(lineageId: string, writes: KnownWrite[]): void {
    this.forget(lineageId);
    const bytes = writes.reduce((sum, { write, statements }) => sum + bytesOf(write) + (statements?.bytes ?? 0), 0);
    if (bytes > REMEMBERED_MAX_BYTES) return;
    this.#plans.set(lineageId, { writes, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#plans.keys()) {
      if (this.#bytes <= REMEMBERED_MAX_BYTES) return;
      this.forget(oldest);
    }
  }

  forget(lineageId: string): void {
    this.#bytes -= this.#plans.get(lineageId)?.bytes ?? 0;
    this.#plans.delete(lineageId);
  }
}

function bytesOf({ path, body, outcome }: PlannedWrite): number {
  return path.length + (body?.length ?? 0) + 500 * (1 + outcome.effects.length);
}
