/** The mails of runs are effects, found when one may go twice (automation.md §5, Outside the database). */
export const statements: readonly string[] = [`CREATE INDEX run_effects_mails ON run_effects (resource_id) WHERE resource_type = 'mail'`];
