/** When the first run of a lineage began, from which its scripts count time; null: they count from 1970, as they did when it began. */
export const statements: readonly string[] = ['ALTER TABLE lineages ADD COLUMN began_at TEXT'];
