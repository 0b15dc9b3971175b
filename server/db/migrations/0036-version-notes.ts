/** What the author of a version says about it. */
export const statements = ['ALTER TABLE task_versions ADD COLUMN note TEXT'];
