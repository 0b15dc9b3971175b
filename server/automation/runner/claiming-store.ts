import { sql } from 'kysely';
import type { Claim, RunnerInfo } from '../../../contract/runner.ts';
import { COMPILED_FORMAT } from '../../../contract/source-warning.ts';
import type { Dialect } from '../../db/dialect.ts';
import type { At, Db } from '../../db/open.ts';
import { statement } from '../../db/queries/statement.ts';
import { hashToken } from '../../resources/tokens/secret.ts';

export type Candidate = {
  id: number;
  task_id: number;
  version_id: number;
  lineage_id: string;
  attempt: number;
  dry_run: number;
  parameters: string;
  last_checkpoint: string | null;
  record: number;
  replay_of_run_id: number | null;
  log_lines: number;
  traceparent: string | null;
  priority: number;
};

export type Details = {
  run_id: number;
  seed: string;
  epoch: number;
  epoch_started_at: string;
  began_at: string | null;
  shop: string | null;
  version: number;
  source_code: string;
  /** Empty: the source has faults; null: nothing of the present format is stored. */
  compiled: string | null;
  permissions: string;
  version_parameters: string;
  settings: string;
  writes_made: number;
  used_cpu_ms: number | null;
  used_wall_ms: number | null;
  used_host_calls: number | null;
  counted_host_calls: number;
  /** Whether there were earlier attempts. */
  resumes: number;
  log_bytes: number;
  log_lines: number;
  /**
   * What the script has said since the checkpoint before the run waited without a worker; null: it did not, or nobody knows. A replay of a
   * recorded run says what it said after a checkpoint in another order than the run that waited then, so that one says it again.
   */
  said: string | null;
};

/** Stores that the runner was seen now, with its version, isolation and slots. */
export async function noteRunner({ db, dialect }: At, { runner, slots }: { runner: RunnerInfo; slots: number }): Promise<void> {
  const isolation = JSON.stringify(runner.isolation);
  const total = runner.total_slots ?? slots;
  await sql`INSERT INTO runners (name, version, isolation, slots, last_seen)
    VALUES (${runner.name}, ${runner.version}, ${isolation}, ${total}, ${dialect.nowMs})
    ON CONFLICT (name) DO UPDATE SET version = ${runner.version}, isolation = ${isolation}, slots = ${total}, last_seen = ${dialect.nowMs}`.execute(
    db,
  );
}

const open = sql`status = 'running' AND claim_id IS NULL AND executor = 'runner'`;
/** A run that has waited too long for its first claim is not given any more. */
const inTime = ({ nowMs }: Dialect) => sql`(start_by_ms IS NULL OR start_by_ms > ${nowMs})`;
const order = sql`ORDER BY priority DESC, id`;
const columns = sql`id, task_id, version_id, lineage_id, attempt, dry_run, parameters, last_checkpoint, record, replay_of_run_id, log_lines,
  traceparent, priority`;

/** Runs of tasks with a limit wait in two indexes: in one those without a concurrency key, of which a task has one queue, in the other those with one. */
const limited = {
  without: sql`${open} AND concurrency_limit IS NOT NULL AND concurrency_key IS NULL`,
  with: sql`${open} AND concurrency_limit IS NOT NULL AND concurrency_key IS NOT NULL`,
};
type Part = { task_id: number; key: keyof typeof limited };

/** A claim looks at this many waiting runs of a task, since those behind them rarely start before. */
const LOOKED_AT = 100;

/**
 * Open runs in the order in which they are to start. Tasks with a concurrency limit are locked first, so that two servers count their runs
 * one after the other. Each step reads only as many rows as it needs, however long the queue is.
 */
export async function selectCandidates(at: At, limit: number): Promise<Candidate[]> {
  const { db, dialect } = at;
  const parts = await selectParts(db, {});
  const free = await selectFree(db, { limit });
  if (parts.length === 0) return free;
  const taskIds = [...new Set(parts.map(({ task_id }) => task_id))].sort((a, b) => a - b);
  await sql`SELECT id FROM tasks WHERE id IN (${sql.join(taskIds)}) ORDER BY id ${dialect.forUpdate}`.execute(db);
  const startable = await selectWithinLimits(at, taskIds, parts);
  if (startable.length === 0) return free;
  const { rows: others } = await sql<Candidate>`
    SELECT ${columns} FROM runs WHERE id IN (${sql.join(startable)}) AND ${dialect.withoutIndex(sql.ref('status'))} = 'running' AND claim_id IS NULL
    ${order} LIMIT ${limit} ${dialect.skipLocked}`.execute(db);
  return [...free, ...others].sort(byTurn).slice(0, limit);
}

const selectFree = statement<{ limit: number }, Candidate>(
  (value, dialect) => sql`
    SELECT ${columns} FROM runs WHERE ${open} AND concurrency_limit IS NULL AND ${inTime(dialect)} ${order} LIMIT ${value('limit')} ${dialect.skipLocked}`,
);

/** The tasks with waiting runs in each of the two indexes. From one task to the next it is one step, however many runs wait. */
const selectParts = statement<object, Part>(() => {
  const tasksIn = (key: keyof typeof limited) => sql`
    SELECT task_id, ${sql.lit(key)} AS key FROM (
      WITH RECURSIVE found (task_id) AS (
        SELECT min(task_id) FROM runs WHERE ${limited[key]}
        UNION ALL
        SELECT (SELECT min(task_id) FROM runs WHERE ${limited[key]} AND task_id > found.task_id) FROM found WHERE found.task_id IS NOT NULL
      ) SELECT task_id FROM found WHERE task_id IS NOT NULL
    ) AS ${sql.ref(`tasks_${key}`)}`;
  return sql`${tasksIn('without')} UNION ALL ${tasksIn('with')}`;
});

type Turn = { id: number; priority: number };
const byTurn = (a: Turn, b: Turn): number => b.priority - a.priority || a.id - b.id;

type Queue = { task_id: number; queue: string };

/**
 * The ids of those runs of tasks with a limit that may start now by their place in the queue; the others do not hold up runs behind them. A
 * run that a client drives takes a place too. All runs of a queue have the same limit, so a queue is full for all of them.
 */
async function selectWithinLimits({ db, dialect }: At, taskIds: readonly number[], parts: readonly Part[]): Promise<number[]> {
  const taken = await sql<Queue & { running: number; most: number | null }>`
    SELECT task_id, coalesce(concurrency_key, '') AS queue, count(*) AS running, min(concurrency_limit) AS most
    FROM runs ${dialect.indexedBy('runs_taken')}
    WHERE status = 'running' AND (claim_id IS NOT NULL OR executor = 'external') AND task_id IN (${sql.join(taskIds)}) GROUP BY 1, 2`.execute(
    db,
  );
  const full = taken.rows.filter(({ running, most }) => most !== null && running >= most);
  const looks = parts.flatMap(({ task_id, key }, n) => {
    const fullQueues = full.filter((one) => one.task_id === task_id).map(({ queue }) => queue);
    if (key === 'without' && fullQueues.includes('')) return [];
    const isFree = key === 'with' && fullQueues.length > 0 ? sql`AND concurrency_key NOT IN (${sql.join(fullQueues)})` : sql``;
    return sql`SELECT * FROM (
      SELECT id, task_id, priority, coalesce(concurrency_key, '') AS queue, concurrency_limit FROM runs
      WHERE ${limited[key]} AND task_id = ${task_id} AND ${inTime(dialect)} ${isFree} ${order} LIMIT ${LOOKED_AT}) AS ${sql.ref(`part_${n}`)}`;
  });
  const places = new Map(taken.rows.map((row) => [nameOf(row), row.running]));
  const startable: number[] = [];
  for (let from = 0; from < looks.length; from += PARTS_A_STATEMENT) {
    const { rows } = await sql<Queue & Turn & { concurrency_limit: number }>`
      ${sql.join(looks.slice(from, from + PARTS_A_STATEMENT), sql` UNION ALL `)}`.execute(db);
    for (const { id, concurrency_limit, ...queue } of rows.sort(byTurn)) {
      const place = (places.get(nameOf(queue)) ?? 0) + 1;
      places.set(nameOf(queue), place);
      if (place <= concurrency_limit) startable.push(id);
    }
  }
  return startable;
}

/** SQLite joins at most 500 SELECTs. */
const PARTS_A_STATEMENT = 400;

const nameOf = ({ task_id, queue }: Queue): string => `${task_id} ${queue}`;

export async function selectDetails(db: Db, runIds: readonly number[]): Promise<Map<number, Details>> {
  const rows = await detailsOf(db, { ids: JSON.stringify(runIds) });
  return new Map(rows.map((row) => [row.run_id, row]));
}

const detailsOf = statement<{ ids: string }, Details>(
  (value, dialect) => sql`
    SELECT r.id AS run_id, l.seed, l.epoch, l.epoch_started_at, l.began_at, l.shop, v.version, v.source_code, v.permissions, v.parameters AS version_parameters,
      c.code AS compiled,
      t.settings, r.log_bytes, r.log_lines,
      l.writes AS writes_made, l.host_calls AS counted_host_calls,
      CASE WHEN p.attempt = r.attempt AND (r.record = 0 OR p.epoch = l.epoch) THEN p.said END AS said,
      p.cpu_ms AS used_cpu_ms, p.wall_ms AS used_wall_ms, p.host_calls AS used_host_calls,
      CASE WHEN p.id IS NULL AND r.resumed_from_run_id IS NULL THEN 0 ELSE 1 END AS resumes
    FROM runs r JOIN lineages l ON l.id = r.lineage_id JOIN task_versions v ON v.id = r.version_id JOIN tasks t ON t.id = r.task_id
    LEFT JOIN compiled_sources c ON c.version_id = v.id AND c.format = ${sql.lit(COMPILED_FORMAT)}
    LEFT JOIN run_claims p ON p.id = (SELECT max(id) FROM run_claims WHERE run_id = r.id)
    WHERE r.id IN (SELECT CAST(line AS bigint) FROM ${dialect.linesOf(value('ids'))})`,
);

/** Stores a claim and assigns it to the run. */
export async function insertClaim(
  db: Db,
  run: Candidate,
  { runner, confirmSeconds }: { runner: RunnerInfo; confirmSeconds: number },
  { token, report_token, epoch, used, limits, said }: Claim,
  now: string,
): Promise<void> {
  const [made] = await insertClaimRow(db, {
    ...{ runId: run.id, lineageId: run.lineage_id, attempt: run.attempt, logFrom: run.log_lines, epoch, now },
    ...{ tokenHash: hashToken(token), reportTokenHash: hashToken(report_token), runner: runner.name, confirmMs: confirmSeconds * 1000 },
    ...{ cpuMs: used.cpu_ms, wallMs: used.wall_ms, hostCalls: used.host_calls },
    ...{ maxHostCalls: limits.host_calls, maxWrites: limits.writes, maxLogBytes: limits.log_bytes },
    // If no runner takes the claim, the next one is told the same.
    said: said === undefined ? null : JSON.stringify(said),
  });
  if (!made) throw new Error('a claim was not inserted');
  if (said !== undefined) await forgetSaid(db, { runId: run.id, claimId: made.id });
  await assignClaim(db, { runId: run.id, claimId: made.id, runner: runner.name, isolation: JSON.stringify(runner.isolation), now });
}

type ClaimRow = { runId: number; lineageId: string; attempt: number; logFrom: number; epoch: number; now: string } & {
  tokenHash: string;
  reportTokenHash: string;
  runner: string;
  confirmMs: number;
} & { cpuMs: number; wallMs: number; hostCalls: number; maxHostCalls: number; maxWrites: number | null; maxLogBytes: number } & {
  said: string | null;
};

const insertClaimRow = statement<ClaimRow, { id: number }>(
  (value, { nowMs }) => sql`
    INSERT INTO run_claims (run_id, lineage_id, attempt, token_hash, report_token_hash, runner_name, claimed_at, lease_until, confirmed, log_from, epoch,
      cpu_ms, wall_ms, host_calls, max_host_calls, max_writes, max_log_bytes, said)
    VALUES (${value('runId')}, ${value('lineageId')}, ${value('attempt')}, ${value('tokenHash')}, ${value('reportTokenHash')}, ${value('runner')},
      ${value('now')}, ${nowMs} + CAST(${value('confirmMs')} AS bigint), 0, ${value('logFrom')}, ${value('epoch')},
      ${value('cpuMs')}, ${value('wallMs')}, ${value('hostCalls')}, ${value('maxHostCalls')}, ${value('maxWrites')}, ${value('maxLogBytes')}, ${value('said')})
    RETURNING id`,
);

const forgetSaid = statement<{ runId: number; claimId: number }>(
  (value) => sql`UPDATE run_claims SET said = NULL WHERE run_id = ${value('runId')} AND id < ${value('claimId')} AND said IS NOT NULL`,
);

const assignClaim = statement<{ runId: number; claimId: number; runner: string; isolation: string; now: string }>(
  (value, { nowMs }) => sql`
    UPDATE runs SET claim_id = ${value('claimId')}, claimed_by = ${value('runner')}, claimed_at = ${value('now')}, sign_ms = ${nowMs},
    start_by_ms = NULL, isolation = ${value('isolation')}, row_version = row_version + 1 WHERE id = ${value('runId')}`,
);

/** Stores what was compiled of a source, unless a newer server has; null: the source has faults. The version may be gone meanwhile. */
export async function storeCompiled(db: Db, versionId: number, code: string | null): Promise<void> {
  await sql`INSERT INTO compiled_sources (version_id, format, code)
    SELECT id, ${sql.lit(COMPILED_FORMAT)}, CAST(${code ?? ''} AS text) FROM task_versions WHERE id = ${versionId}
    ON CONFLICT (version_id) DO UPDATE SET format = excluded.format, code = excluded.code WHERE compiled_sources.format < excluded.format`.execute(
    db,
  );
}
