/** What `once` and long sleeps keep for a lineage is bounded in all: its size is counted. */
export const statements: readonly string[] = [`ALTER TABLE lineages ADD COLUMN memory_bytes INTEGER NOT NULL DEFAULT 0`];
