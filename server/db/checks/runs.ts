import { sql } from 'kysely';
import type { Check } from './check.ts';

/** The books of runs: who drives them, and how they follow from each other. */
export const runChecks: readonly Check[] = [
  {
    name: 'a run has an end exactly when it is not running',
    faults: sql`
      SELECT 'run ' || id || ': ' || status || ', end ' || coalesce(end_reason, 'none') || ', finished '
        || coalesce(finished_at, 'never') AS fault
      FROM runs
      WHERE (status = 'running') <> (finished_at IS NULL) OR (status = 'running' AND end_reason IS NOT NULL)`,
  },
  {
    // A run that waits for a person or another run keeps its ended claim (runs/life/waiting.ts).
    name: 'a run is driven by the claim that it names, and by no other',
    faults: sql`
      SELECT 'run ' || r.id || ': ' || r.status || ', claim ' || coalesce(CAST(r.claim_id AS text), 'none') || ', claim ' || c.id
        || ' has not ended' AS fault
      FROM run_claims c JOIN runs r ON r.id = c.run_id
      WHERE c.ended_at IS NULL AND (r.status <> 'running' OR r.claim_id IS NULL OR r.claim_id <> c.id)
      UNION ALL
      SELECT 'run ' || r.id || ': its claim ' || r.claim_id || ' has ended' AS fault
      FROM runs r LEFT JOIN run_claims c ON c.id = r.claim_id AND c.ended_at IS NULL
      WHERE r.status = 'running' AND r.claim_id IS NOT NULL AND c.id IS NULL
        AND NOT EXISTS (SELECT 1 FROM run_prompts p WHERE p.asked_by_run_id = r.id AND (p.answered_at IS NULL OR p.wakes = 1))`,
  },
  {
    name: 'at most one run of a lineage is running',
    faults: sql`
      SELECT 'lineage ' || lineage_id || ': ' || count(*) || ' running runs' AS fault
      FROM runs WHERE status = 'running' GROUP BY lineage_id HAVING count(*) > 1`,
  },
  {
    name: 'a run and the one that resumed it name each other',
    faults: sql`
      SELECT 'run ' || r.id || ': resumed by run ' || r.resumed_by_run_id || ', which does not say so' AS fault
      FROM runs r JOIN runs s ON s.id = r.resumed_by_run_id
      WHERE s.resumed_from_run_id IS NULL OR s.resumed_from_run_id <> r.id OR s.lineage_id <> r.lineage_id`,
  },
  {
    name: 'the lines of a log have no gap',
    faults: sql`
      SELECT 'run ' || run_id || ': ' || count(*) || ' lines from ' || min(seq) || ' to ' || max(seq) AS fault
      FROM run_events GROUP BY run_id HAVING count(*) <> max(seq) - min(seq) + 1`,
  },
  {
    name: 'no journal is ahead of its lineage',
    faults: sql`
      SELECT 'lineage ' || l.id || ': epoch ' || l.epoch || ', journal of epoch ' || max(j.epoch) AS fault
      FROM lineages l JOIN journal j ON j.lineage_id = l.id GROUP BY l.id, l.epoch HAVING max(j.epoch) > l.epoch`,
  },
  {
    name: 'no run waits for one that has ended',
    faults: sql`
      SELECT 'run ' || p.asked_by_run_id || ': waits for run ' || p.awaits_run_id || ', which is ' || a.status AS fault
      FROM run_prompts p JOIN runs a ON a.id = p.awaits_run_id JOIN runs r ON r.id = p.asked_by_run_id
      WHERE p.answered_at IS NULL AND r.status = 'running' AND a.status <> 'running'`,
  },
  {
    name: 'a start that waits has what it has gathered',
    faults: sql`
      SELECT 'start ' || s.id || ': ' || s.how || ' of ' || s.items || ', ' || count(i.id) || ' kept' AS fault
      FROM gathered_starts s LEFT JOIN gathered_items i ON i.start_id = s.id AND i.content <> '' GROUP BY s.id, s.how, s.items
      HAVING count(i.id) <> CASE WHEN s.how = 'batch' THEN s.items ELSE 1 END`,
  },
  {
    name: 'of those that wait for a rate, one is looked at',
    faults: sql`
      SELECT 'start ' || s.id || ': waits behind nobody' AS fault FROM gathered_starts s
      WHERE s.due_ms IS NULL AND NOT EXISTS (SELECT 1 FROM gathered_starts h WHERE h.kind = s.kind AND h.starter_id = s.starter_id
        AND h.task_id = s.task_id AND h.rate_key = s.rate_key AND h.queued_ms IS NOT NULL AND h.due_ms IS NOT NULL)`,
  },
  {
    name: 'an error names a run that ended with it, and counts each that did',
    faults: sql`
      SELECT 'error ' || e.id || ': counts ' || e.count || ', named by ' || count(r.id) || ', latest run ' || e.last_run_id AS fault
      FROM task_errors e LEFT JOIN runs r ON r.error_id = e.id GROUP BY e.id, e.count, e.last_run_id
      HAVING e.count < count(r.id) OR max(CASE WHEN r.id = e.last_run_id THEN 1 ELSE 0 END) = 0`,
  },
  {
    name: 'a run names an error of its task',
    faults: sql`
      SELECT 'run ' || r.id || ': error ' || r.error_id || ', which is ' || coalesce('of task ' || e.task_id, 'not there') AS fault
      FROM runs r LEFT JOIN task_errors e ON e.id = r.error_id
      WHERE r.error_id IS NOT NULL AND (e.id IS NULL OR e.task_id <> r.task_id)`,
  },
  {
    name: 'an error is resolved exactly when it names the version',
    faults: sql`
      SELECT 'error ' || id || ': ' || state || ', resolved in version ' || coalesce(CAST(resolved_in_version AS text), 'none') AS fault
      FROM task_errors WHERE (state = 'resolved') <> (resolved_in_version IS NOT NULL)`,
  },
  {
    name: 'a trial is decided exactly when it does not go on, and has a reason where it paused the task',
    faults: sql`
      SELECT 'version ' || version_id || ': ' || state || ', decided ' || coalesce(decided_at, 'never') || ', reason ' || coalesce(reason, 'none') AS fault
      FROM version_trials
      WHERE (state = 'watching') <> (decided_at IS NULL) OR (state = 'paused' AND (reason IS NULL OR run_id IS NULL))`,
  },
];
