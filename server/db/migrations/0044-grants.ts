/** The grants that a version declares beside its permissions, each list as JSON, in the version and in the decisions on it. */
const grants = ['mail_to', 'http_allow', 'secrets', 'may_start'];

export const statements = ['task_versions', 'version_approvals'].flatMap((table) =>
  grants.map((column) => `ALTER TABLE ${table} ADD COLUMN ${column} TEXT NOT NULL DEFAULT '[]'`),
);
