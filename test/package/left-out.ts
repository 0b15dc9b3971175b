/** What of the documents is not run here, and why. A block is run unless it has one of these. */

/** Programs that a machine of tests has not. Their blocks are read by a shell, and the files that they name are looked for. */
export const OUTSIDE: Readonly<Record<string, string>> = {
  docker: 'needs an engine for containers; test/deploy checks what it is given',
  kubectl: 'needs a cluster; test/deploy checks the chart',
  helm: 'needs a cluster; test/deploy checks the chart',
  systemctl: 'needs a machine that systemd runs',
  pg_restore: 'needs a server of PostgreSQL and its programs; test/faults restores copies',
  pg_dump: 'needs a server of PostgreSQL and its programs; test/faults makes copies',
  psql: 'needs a server of PostgreSQL and its programs',
  pngquant: 'only makes pictures smaller',
  img2webp: 'only makes one picture of frames; test/console/story.test.ts takes these',
};

/** Scripts of npm for who has cloned the project. test/docs/names.test.ts holds that they, their options and files are there. */
export const DEAR: Readonly<Record<string, string>> = {
  ci: 'installs all of it; .ci/run begins with it',
  start: 'test/start has it; .ci/run starts it so',
  demo: 'the pages share one of the package; .ci/run goes through it once',
  test: 'runs for minutes; .ci/run has it',
  'test:postgres': 'runs for minutes; .ci/run has it',
  'test:processes': 'runs for minutes; .ci/run has it',
  'test:package': 'is what runs now',
  'test:faults': 'runs for minutes; .ci/run has it',
  'test:console': 'runs for minutes; .ci/run has it',
  'build:console': 'was done to pack what is tested here',
  'build:docs': 'was done to pack what is tested here',
  verify: 'takes a minute; .ci/run has it',
  format: 'changes the sources',
  dev: 'follows the sources; test/start has it',
  eval: 'takes a minute; .ci/run has it',
  chaos: 'takes minutes; .ci/run has it',
  bench: 'takes minutes and a quiet machine',
  'bench:peers': 'installs 3 GB of other programs',
  release: 'is tried by a test of its own',
};

/** Single commands, by how they begin. */
export const ALONE: Readonly<Record<string, string>> = {
  'npx backroom db copy ./data postgres:': 'needs a server of PostgreSQL at that address; test/cli copies both ways',
  'npx backroom db check': 'is of that database',
};
