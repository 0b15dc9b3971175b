/** How many runs the script of a lineage has started, and how many runs stand above it: each started the next one. */
export const statements: readonly string[] = [
  'ALTER TABLE lineages ADD COLUMN starts INTEGER NOT NULL DEFAULT 0',
  'ALTER TABLE lineages ADD COLUMN depth INTEGER NOT NULL DEFAULT 0',
];
