/**
 * A lineage to whose run another run has led, by a start, an event or as its error handler, is of the chain that began with the lineage
 * `root_id`; null: a chain may begin here. `run_chains` counts the runs that the scripts of a chain have started.
 */
export const statements: readonly string[] = [
  'ALTER TABLE lineages ADD COLUMN root_id TEXT',
  `CREATE TABLE run_chains (
    root_id TEXT PRIMARY KEY REFERENCES lineages (id) ON DELETE CASCADE,
    starts INTEGER NOT NULL
  ) STRICT`,
];
