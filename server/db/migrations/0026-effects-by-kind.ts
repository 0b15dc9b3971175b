/** Writes of a lineage are counted from this index alone; mails and completions are left out by their type. */
export const statements: readonly string[] = [
  `DROP INDEX run_effects_by_lineage`,
  `CREATE INDEX run_effects_by_lineage ON run_effects (lineage_id, resource_type)`,
];
