/** One call may change several records; only the first of its effects is counted as a write of the lineage. */
export const statements: readonly string[] = [
  `ALTER TABLE run_effects ADD COLUMN is_first INTEGER NOT NULL DEFAULT 1`,
  `DROP INDEX run_effects_by_lineage`,
  `CREATE INDEX run_effects_by_lineage ON run_effects (lineage_id, is_first, resource_type)`,
];
