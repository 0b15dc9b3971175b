/** A row of run_prompts with `awaits_run_id` is no question: its run waits for the end of a run that it has started. */
export const statements: readonly string[] = [
  'ALTER TABLE run_prompts ADD COLUMN awaits_run_id INTEGER',
  'CREATE INDEX run_prompts_awaits ON run_prompts (awaits_run_id) WHERE awaits_run_id IS NOT NULL AND answered_at IS NULL',
];
