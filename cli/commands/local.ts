import type { Command } from '../command.ts';
import { passOn } from '../pass-on.ts';

/** What needs the store or the sandbox itself, on this machine. */
const STORE = 'On the store that DATABASE_URL or DATA_DIR names, without a server.';

export const local: readonly Command[] = [
  {
    name: 'task test',
    usage: '[--dir DIR] [NAME]…',
    about: 'runs NAME.test.ts of tasks in the real sandbox, against a throw-away shop',
    run: (args) => passOn('scripts/task-test.ts', args),
  },
  {
    name: 'doctor',
    usage: '',
    about: 'which layers of the sandbox a worker has on this machine; of each other why not, and what to install',
    run: (args) => passOn('scripts/doctor.ts', args),
  },
  {
    name: 'admin create',
    usage: '--email ADDRESS [--name NAME] [--role owner|staff] [--permission NAME]… [--token]',
    about: 'creates an admin; --token also makes an access token and prints it once',
    details: `An admin who exists only gets the token. ${STORE}`,
    run: (args) => passOn('scripts/admin.ts', ['create', ...args]),
  },
  {
    name: 'db migrate',
    usage: '',
    about: 'brings the store to the newest schema',
    details: STORE,
    run: (args) => passOn('scripts/db.ts', ['migrate', ...args]),
  },
  {
    name: 'db backup',
    usage: 'FILE [--force]',
    about: 'copies an SQLite store into a file while servers go on',
    details: `  --force  replaces the file\n${STORE}`,
    run: (args) => passOn('scripts/db.ts', ['backup', ...args]),
  },
  {
    name: 'db import',
    usage: 'online-retail FILE.csv.gz',
    about: 'imports the public "Online Retail" data',
    details: STORE,
    // Rows come and go by the million: a small young generation keeps the process small.
    run: (args) => passOn('scripts/import.ts', args, ['--max-semi-space-size=8']),
  },
];
