/** `journal.passing`: 1 for a refusal that may be different a moment later, which answers the attempt that got it and a replay alone. */
export const statements: readonly string[] = ['ALTER TABLE journal ADD COLUMN passing INTEGER NOT NULL DEFAULT 0'];
