/** What the author and the approver of a version could read; null: the version is older, or nobody has approved it yet. */
export const statements: readonly string[] = ['ALTER TABLE task_versions ADD COLUMN may_read TEXT'];
