/** What the scripts of a lineage are told of the shop's settings, so that a resumed run and a replay see what the first run saw. */
export const statements: readonly string[] = ['ALTER TABLE lineages ADD COLUMN shop TEXT'];
