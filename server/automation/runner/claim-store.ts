import { sql } from 'kysely';
import type { Claim, RunnerInfo } from '../../../contract/runner.ts';
import { COMPILED_FORMAT } from '../../../contract/source-warning.ts';
import type { Dialect } from '../../db/dialect.ts';
import type { Db } from '../../db/open.ts';
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
};

export type Details = {
  run_id: number;
  seed: string;
  epoch: number;
  epoch_started_at: string;
  version: number;
  source_code: string;
  compiled: string | null;
  permissions: string;
  version_parameters: string;
  settings: string;
  writes_made: number;
  used_cpu_ms: number | null;
  used_wall_ms: number | null;
  used_host_calls: number | null;
  counted_host_calls: number;
  log_bytes: number;
  log_lines: number;
};

/** Stores that the runner was seen now, with its version, isolation and slots. */
export async function noteRunner(db: Db, dialect: Dialect, { runner, slots }: { runner: RunnerInfo; slots: number }): Promise<void> {
  const isolation = JSON.stringify(runner.isolation);
  const total = runner.total_slots ?? slots;
  await sql`INSERT INTO runners (name, version, isolation, slots, last_seen)
    VALUES (${runner.name}, ${runner.version}, ${isolation}, ${total}, ${dialect.nowMs})
    ON CONFLICT (name) DO UPDATE SET version = ${runner.version}, isolation = ${isolation}, slots = ${total}, last_seen = ${dialect.nowMs}`.execute(
    db,
  );
}

const open = sql`status = 'running' AND claim_id IS NULL AND executor = 'runner'`;

/**
 * Open runs in the order in which they are to start, by the partial index runs_open. Tasks with a concurrency limit are
 * locked first, so that two servers count their runs one after the other.
 */
export async function selectCandidates(db: Db, dialect: Dialect, limit: number): Promise<Candidate[]> {
  const limited = await sql<{ task_id: number }>`
    SELECT DISTINCT task_id FROM runs WHERE ${open} AND concurrency_limit IS NOT NULL ORDER BY task_id`.execute(db);
  const taskIds = limited.rows.map(({ task_id }) => task_id);
  if (taskIds.length > 0) await sql`SELECT id FROM tasks WHERE id IN (${sql.join(taskIds)}) ORDER BY id ${dialect.forUpdate}`.execute(db);
  const room = taskIds.length > 0 ? sql`(concurrency_limit IS NULL OR id IN (${withinLimits(taskIds)}))` : sql`concurrency_limit IS NULL`;
  const { rows } = await sql<Candidate>`
    SELECT id, task_id, version_id, lineage_id, attempt, dry_run, parameters, last_checkpoint, record, replay_of_run_id, log_lines, traceparent
    FROM runs WHERE ${open} AND ${room}
    ORDER BY priority DESC, id LIMIT ${limit} ${dialect.skipLocked}`.execute(db);
  return rows;
}

/**
 * The ids of those open runs of tasks with a limit that may start now by their place in the queue; the others do not hold up
 * runs behind them. A run that a client drives takes a place too.
 */
function withinLimits(taskIds: readonly number[]) {
  const tasks = sql`task_id IN (${sql.join(taskIds)})`;
  return sql`
    SELECT queued.id FROM (
      SELECT id, task_id, coalesce(concurrency_key, '') AS queue, concurrency_limit,
        row_number() OVER (PARTITION BY task_id, coalesce(concurrency_key, '') ORDER BY priority DESC, id) AS place
      FROM runs WHERE ${open} AND ${tasks} AND concurrency_limit IS NOT NULL
    ) AS queued LEFT JOIN (
      SELECT task_id, coalesce(concurrency_key, '') AS queue, count(*) AS running
      FROM runs WHERE status = 'running' AND (claim_id IS NOT NULL OR executor = 'external') AND ${tasks} GROUP BY 1, 2
    ) AS busy ON busy.task_id = queued.task_id AND busy.queue = queued.queue
    WHERE queued.place + coalesce(busy.running, 0) <= queued.concurrency_limit`;
}

export async function selectDetails(db: Db, runIds: readonly number[]): Promise<Map<number, Details>> {
  const { rows } = await sql<Details>`
    SELECT r.id AS run_id, l.seed, l.epoch, l.epoch_started_at, v.version, v.source_code, v.permissions, v.parameters AS version_parameters,
      c.code AS compiled,
      t.settings, r.log_bytes, r.log_lines,
      l.writes AS writes_made, l.host_calls AS counted_host_calls,
      p.cpu_ms AS used_cpu_ms, p.wall_ms AS used_wall_ms, p.host_calls AS used_host_calls
    FROM runs r JOIN lineages l ON l.id = r.lineage_id JOIN task_versions v ON v.id = r.version_id JOIN tasks t ON t.id = r.task_id
    LEFT JOIN compiled_sources c ON c.version_id = v.id AND c.format = ${COMPILED_FORMAT}
    LEFT JOIN run_claims p ON p.id = (SELECT max(id) FROM run_claims WHERE run_id = r.id)
    WHERE r.id IN (${sql.join(runIds)})`.execute(db);
  return new Map(rows.map((row) => [row.run_id, row]));
}

/** Stores a claim and assigns it to the run. */
export async function insertClaim(
  db: Db,
  dialect: Dialect,
  run: Candidate,
  { runner, confirmSeconds }: { runner: RunnerInfo; confirmSeconds: number },
  { token, report_token, epoch, used, limits }: Claim,
  now: string,
): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    INSERT INTO run_claims (run_id, lineage_id, attempt, token_hash, report_token_hash, runner_name, claimed_at, lease_until, confirmed, log_from, epoch,
      cpu_ms, wall_ms, host_calls, max_host_calls, max_writes, max_log_bytes)
    VALUES (${run.id}, ${run.lineage_id}, ${run.attempt}, ${hashToken(token)}, ${hashToken(report_token)}, ${runner.name}, ${now},
      ${dialect.nowMs} + ${confirmSeconds * 1000}, 0, ${run.log_lines}, ${epoch},
      ${used.cpu_ms}, ${used.wall_ms}, ${used.host_calls}, ${limits.host_calls}, ${limits.writes}, ${limits.log_bytes})
    RETURNING id`.execute(db);
  await sql`UPDATE runs SET claim_id = ${rows[0]?.id ?? null}, claimed_by = ${runner.name}, claimed_at = ${now}, sign_ms = ${dialect.nowMs},
    isolation = ${JSON.stringify(runner.isolation)}, row_version = row_version + 1 WHERE id = ${run.id}`.execute(db);
}
