/**
 * `journal.sent`: 1 for the refusal of a call whose request had left the house, so that it may have had its effect. `started_calls.effect_id`:
 * the effect that shows the call's request while its answer is awaited.
 */
export const statements: readonly string[] = [
  'ALTER TABLE journal ADD COLUMN sent INTEGER NOT NULL DEFAULT 0',
  'ALTER TABLE started_calls ADD COLUMN effect_id INTEGER',
];
