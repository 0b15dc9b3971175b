/** Who wrote a line of a run's log: `run`, what drives the run; `server`, the server itself; null: the line is from before this column. */
export const statements: readonly string[] = ['ALTER TABLE run_events ADD COLUMN source TEXT'];
