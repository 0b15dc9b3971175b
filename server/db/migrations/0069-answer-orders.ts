/**
 * In which order the script of a claim got answers that came while it waited for several (spec JO13). A row holds a part of the order,
 * which ends with its answer number `upto`; parts of one claim may overlap.
 */
export const statements: readonly string[] = [
  `CREATE TABLE answer_orders (
    lineage_id TEXT NOT NULL,
    epoch INTEGER NOT NULL,
    claim_id INTEGER NOT NULL,
    upto INTEGER NOT NULL,
    names TEXT NOT NULL,
    PRIMARY KEY (lineage_id, epoch, claim_id, upto)
  ) STRICT`,
];
