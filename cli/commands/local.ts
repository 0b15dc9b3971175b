import type { Command } from '../command.ts';
import { passOn } from '../pass-on.ts';

const STORE = 'Works on the store that DATABASE_URL or DATA_DIR names; no server is needed.';

/** Commands that need the store or the sandbox on this machine. */
export const local: readonly Command[] = [
  {
    name: 'task test',
    usage: '[--dir DIR] [NAME]…',
    about: 'runs the tests of tasks (NAME.test.ts) in the real sandbox, against a temporary shop',
    run: (args) => passOn('ops/task-test.ts', args),
  },
  {
    name: 'doctor',
    usage: '',
    about: 'shows which layers of the sandbox a worker has on this machine, and why others are missing and what to install',
    run: (args) => passOn('ops/doctor.ts', args),
  },
  {
    name: 'admin create',
    usage: '--email ADDRESS [--name NAME] [--role owner|staff] [--permission NAME]… [--token]',
    about: 'creates an admin; --token also makes an access token and prints it once',
    details: `Where the admin exists already, only the token is created. ${STORE}`,
    run: (args) => passOn('ops/admin.ts', ['create', ...args]),
  },
  {
    name: 'admin sign-in-link',
    usage: '[--email ADDRESS] [--minutes N] [--server URL]',
    about: 'prints an address that signs in to the console once, as the first owner or the given admin; no token is needed',
    details: `  --minutes N   the address works for N minutes, 1 to 60 (default 15)
  --server URL  where the server is, if not at HOST and PORT
${STORE}`,
    run: (args) => passOn('ops/sign-in-link.ts', args),
  },
  {
    name: 'secrets rotate',
    usage: '',
    about:
      'encrypts the secrets of the store with a new key; servers may go on working meanwhile, and it can be repeated where it was stopped',
    details: `With SECRETS_KEY: with that key; give the one before in SECRETS_KEY_OLD, to the servers too. Otherwise a new key is put into secrets.key in DATA_DIR.\n${STORE}`,
    run: (args) => passOn('ops/secrets.ts', ['rotate', ...args]),
  },
  {
    name: 'db migrate',
    usage: '',
    about: 'brings the store to the newest schema',
    details: STORE,
    run: (args) => passOn('ops/db.ts', ['migrate', ...args]),
  },
  {
    name: 'db check',
    usage: '',
    about: 'checks the store: the database itself, stock, sums, credits, runs and files; servers may go on working meanwhile',
    details: `Prints what is wrong, the first 20 things of each kind; the exit code is then 1. It changes nothing. ${STORE}`,
    run: (args) => passOn('ops/db.ts', ['check', ...args]),
  },
  {
    name: 'db backup',
    usage: 'FILE [--force]',
    about: 'copies an SQLite store into a file; servers may go on working meanwhile',
    details: `  --force  replaces the file\n${STORE}`,
    run: (args) => passOn('ops/db.ts', ['backup', ...args]),
  },
  {
    name: 'db copy',
    usage: 'FROM TO [--verify]',
    about: 'copies a whole store from SQLite to PostgreSQL or back, and compares the copy row by row',
    details: `FROM and TO are each a folder as DATA_DIR, sqlite:FILE or postgres://user@host/database (its password: PGPASSWORD). TO must be
empty, or an unfinished copy of FROM: if the command is stopped or killed, the same command continues. The servers of FROM
must be stopped. Files that were uploaded are not rows: it says what to copy by hand. The exit code is 1 if anything differs.
  --verify  only compares the two stores`,
    run: (args) => passOn('ops/db-copy.ts', args),
  },
  {
    name: 'db import',
    usage: 'online-retail FILE.csv.gz',
    about: 'imports the public "Online Retail" data',
    details: STORE,
    // The import makes millions of short-lived objects; a small young generation keeps the memory of the process small.
    run: (args) => passOn('ops/import.ts', args, ['--max-semi-space-size=8']),
  },
];
