/**
 * What a run has used goes with each of its claims, and its script's calls are counted where they are carried out. A claim stores the run's
 * totals as its runner last reported them, and the limits that it was given.
 */
export const statements: readonly string[] = [
  `ALTER TABLE run_claims ADD COLUMN cpu_ms INTEGER NOT NULL DEFAULT 0`,
  `ALTER TABLE run_claims ADD COLUMN wall_ms INTEGER NOT NULL DEFAULT 0`,
  `ALTER TABLE run_claims ADD COLUMN host_calls INTEGER NOT NULL DEFAULT 0`,
  `ALTER TABLE run_claims ADD COLUMN max_host_calls INTEGER`,
  `ALTER TABLE run_claims ADD COLUMN max_writes INTEGER`,
  `ALTER TABLE run_claims ADD COLUMN max_log_bytes INTEGER`,
  `ALTER TABLE lineages ADD COLUMN host_calls INTEGER NOT NULL DEFAULT 0`,
  `ALTER TABLE lineages ADD COLUMN writes INTEGER NOT NULL DEFAULT 0`,
  `UPDATE lineages SET writes = (
    SELECT count(*) FROM run_effects e WHERE e.lineage_id = lineages.id AND e.is_first = 1 AND e.resource_type <> 'llm_completion'
  ) WHERE id IN (SELECT lineage_id FROM runs WHERE status IN ('running', 'interrupted'))`,
  // No query uses this index any more.
  `DROP INDEX run_effects_by_lineage`,
];
