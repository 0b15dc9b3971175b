/** Indexes in the order of the list of all runs, for the filters by the reason of the end and by what started a run. */
export const statements: readonly string[] = [
  'CREATE INDEX runs_by_end_reason ON runs (end_reason, started_at, id, status, dry_run) WHERE end_reason IS NOT NULL',
  'CREATE INDEX runs_by_starter ON runs (started_by, started_at, id, status, dry_run)',
];
