/** The writes of a lineage are counted by the index alone, without its mails and completions. */
export const statements: readonly string[] = [
  `DROP INDEX run_effects_by_lineage`,
  `CREATE INDEX run_effects_by_lineage ON run_effects (lineage_id, resource_type)`,
];
