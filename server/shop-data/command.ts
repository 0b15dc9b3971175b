import { ConfigError, readConfig } from '../config.ts';
import { migrate } from '../db/migrate.ts';
import { openStore, type Store } from '../db/open.ts';

/** An error that the user of the command can correct; its message says how. */
export class CommandError extends Error {
  readonly exitCode: number;
  constructor(message: string, { exitCode = 2, ...options }: ErrorOptions & { exitCode?: number } = {}) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

type Options = { /** The command will write very many rows. */ bulk?: boolean };

/** Runs a command on the store that the environment names. Wrong usage prints one line and sets the exit code. */
export async function runOnStore(command: () => Promise<(store: Store) => Promise<void>>, { bulk = false }: Options = {}): Promise<void> {
  try {
    const work = await command();
    const config = readConfig(process.env);
    const store = openStore({ url: config.databaseUrl, poolSize: 2, synchronous: config.sqliteSynchronous, bulk });
    try {
      await migrate(store, { leaveAside: bulk });
      await work(store);
    } finally {
      await store.close();
    }
  } catch (error) {
    if (!isUsageError(error)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = error instanceof CommandError ? error.exitCode : 2;
  }
}

function isUsageError(error: unknown): error is Error {
  if (error instanceof CommandError || error instanceof ConfigError) return true;
  return error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}
