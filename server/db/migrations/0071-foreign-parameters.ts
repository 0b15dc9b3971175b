/** `r` with the run `h` that a hook opened: of its lineage, or of that of the run which it replays. */
const CALLED = `LEFT JOIN runs o ON o.id = r.replay_of_run_id
  JOIN runs h ON h.lineage_id = coalesce(o.lineage_id, r.lineage_id) AND h.started_by LIKE 'hook:%'`;

/**
 * Parameters that a script or another system has chosen are withheld as the output of the run is, also in the runs that resume or replay it.
 * Until now `started_by` told it, which those runs do not keep. What a hook was sent may be about customers and their orders, so its mark
 * is among the permissions of the lineage.
 */
export const statements: readonly string[] = [
  'ALTER TABLE runs ADD COLUMN foreign_parameters INTEGER NOT NULL DEFAULT 0',
  // Of two indexes that it expects to cost the same, SQLite takes the newer one. With the wider row the two for open runs of a task do.
  'DROP INDEX runs_running',
  `CREATE INDEX runs_running ON runs (task_id, concurrency_key, claim_id, executor) WHERE status = 'running'`,
  `WITH RECURSIVE given (id) AS (
    SELECT id FROM runs WHERE started_by LIKE 'run:%' OR started_by LIKE 'hook:%'
    UNION
    SELECT r.id FROM runs r JOIN given g ON r.resumed_from_run_id = g.id OR r.replay_of_run_id = g.id
  )
  UPDATE runs SET foreign_parameters = 1 WHERE id IN (SELECT id FROM given)`,
  `UPDATE lineages SET permissions = (
    SELECT '["' || h.started_by || '"' || CASE WHEN coalesce(lineages.permissions, v.permissions) = '[]' THEN ']'
      ELSE ',' || substr(coalesce(lineages.permissions, v.permissions), 2) END
    FROM runs r JOIN task_versions v ON v.id = r.version_id ${CALLED} WHERE r.lineage_id = lineages.id ORDER BY h.id LIMIT 1
  ) WHERE id IN (SELECT r.lineage_id FROM runs r ${CALLED})`,
];
