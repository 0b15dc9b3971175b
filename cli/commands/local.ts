import type { Command } from '../command.ts';
import { passOn } from '../pass-on.ts';

const STORE = 'Works on the store that DATABASE_URL or DATA_DIR names (default: ./data); no server is needed.';

/** Commands that need the store or the sandbox on this machine. */

export const doctor: Command = {
  name: 'doctor',
  usage: '',
  about: 'shows which layers of the sandbox a worker has on this machine, and why others are missing and what to install',
  notes: ['It starts a worker as a runner does, and looks at it. A missing layer is no error: the exit code is 0.'],
  example: 'npx backroom doctor',
  run: (args) => passOn('ops/doctor.ts', args),
};

export const adminCommands: readonly Command[] = [
  {
    name: 'admin create',
    usage: '--email ADDRESS [--name NAME] [--role owner|staff] [--permission NAME]… [--token]',
    about: 'creates an admin in the store; --token also makes an access token and prints it once',
    options: [
      ['--email ADDRESS', 'the address of the admin; where there is one with it, nobody is created'],
      ['--name NAME', 'the name of the admin (default: none)'],
      ['--role ROLE', 'owner, who may do everything, or staff (default: staff)'],
      ['--permission NAME', 'what staff may do, such as admin_api.orders.read; may be given several times'],
      ['--token', 'makes an access token for the admin, whether new or there already'],
    ],
    notes: [STORE],
    example: 'npx backroom admin create --email ada@example.com --role owner --token',
    run: (args) => passOn('ops/admin.ts', ['create', ...args]),
  },
  {
    name: 'admin sign-in-link',
    usage: '[--email ADDRESS] [--minutes N] [--server URL]',
    about: 'prints an address that signs in to the console once, as the first owner or the given admin; no token is needed',
    options: [
      ['--email ADDRESS', 'the admin who is signed in (default: the first owner)'],
      ['--minutes N', 'the address works for N minutes, 1 to 60 (default 15)'],
      ['--server URL', 'where the server is, if not at HOST and PORT'],
    ],
    notes: [STORE],
    example: 'npx backroom admin sign-in-link --email ada@example.com --server http://127.0.0.1:8787',
    run: (args) => passOn('ops/sign-in-link.ts', args),
  },
];

const ANY_STORE: readonly [string, string] = ['--store STORE', 'another store: a file of SQLite, or postgres://user@host/database'];

export const decisionCommands: readonly Command[] = [
  {
    name: 'verify approvals',
    usage: '[--store STORE]',
    about: 'checks every decision: what was signed, by whose passkey, and whether the store still has what was decided',
    options: [ANY_STORE],
    notes: [
      'No server is needed, so a copy of the store can be checked on another machine. Decisions that a token made are listed as such.',
      'What does not fit is marked WRONG; the exit code is then 1. It changes nothing.',
      STORE,
    ],
    example: 'npx backroom verify approvals',
    run: (args) => passOn('ops/decisions.ts', ['verify', 'approvals', ...args]),
  },
  {
    name: 'policy reset',
    usage: '',
    about: 'lets a token of one owner do for every decision again, where nobody can decide any more; the audit log says so',
    notes: ['Servers use it within a second.', STORE],
    example: 'npx backroom policy reset',
    run: (args) => passOn('ops/decisions.ts', ['policy', 'reset', ...args]),
  },
];

export const storeCommands: readonly Command[] = [
  {
    name: 'db migrate',
    usage: '',
    about: 'brings the store to the newest schema',
    notes: [STORE],
    example: 'npx backroom db migrate',
    run: (args) => passOn('ops/db.ts', ['migrate', ...args]),
  },
  {
    name: 'db check',
    usage: '',
    about: 'checks the store: the database itself, stock, sums, credits, runs and files; servers may go on working meanwhile',
    notes: ['It prints what is wrong, the first 20 things of each kind; the exit code is then 1. It changes nothing.', STORE],
    example: 'npx backroom db check',
    run: (args) => passOn('ops/db.ts', ['check', ...args]),
  },
  {
    name: 'db backup',
    usage: 'FILE [--force]',
    about: 'copies an SQLite store into a file, as it is at one moment; servers may go on working meanwhile',
    options: [['--force', 'replaces the file where it is there already']],
    notes: ['Uploaded files and the key of the secrets are not in the copy; it says where they are.', STORE],
    example: 'npx backroom db backup shop.db',
    run: (args) => passOn('ops/db.ts', ['backup', ...args]),
  },
  {
    name: 'db copy',
    usage: 'FROM TO [--verify]',
    about: 'copies a whole store from SQLite to PostgreSQL or back, and compares the copy row by row',
    options: [['--verify', 'only compares the two stores']],
    notes: [
      'FROM and TO are each a folder as DATA_DIR, sqlite:FILE or postgres://user@host/database (its password: PGPASSWORD).',
      'TO must be empty, or an unfinished copy of FROM: where the command was stopped or killed, the same command continues.',
      'The servers of FROM must be stopped. Files that were uploaded are not rows: it says what to copy by hand.',
      'The exit code is 1 where anything differs.',
    ],
    run: (args) => passOn('ops/db-copy.ts', args),
  },
  {
    name: 'db import',
    usage: 'online-retail FILE.csv.gz',
    about: 'imports the public "Online Retail" data',
    notes: ['Where it is stopped, its exit code is 130, and the same command continues.', STORE],
    // The import makes millions of short-lived objects; a small young generation keeps the memory of the process small.
    run: (args) => passOn('ops/import.ts', args, ['--max-semi-space-size=8']),
  },
  {
    name: 'secrets rotate',
    usage: '',
    about:
      'encrypts all secrets in the store (of tasks, and of the signatures of hooks) with a new key; servers may go on working meanwhile',
    notes: [
      'With SECRETS_KEY: first start the servers with the new key, and the old one in SECRETS_KEY_OLD; then run this command with both; then remove SECRETS_KEY_OLD.',
      'Without it, a new key is put into secrets.key in DATA_DIR. Where the command is stopped, the same command continues.',
      STORE,
    ],
    example: 'npx backroom secrets rotate',
    run: (args) => passOn('ops/secrets.ts', ['rotate', ...args]),
  },
];
