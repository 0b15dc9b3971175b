/** The size of what `once` and long sleeps keep for a lineage, which is limited in total. */
export const statements: readonly string[] = [`ALTER TABLE lineages ADD COLUMN memory_bytes INTEGER NOT NULL DEFAULT 0`];
