import { ConfigError, readConfig } from '../config.ts';
import { migrate } from '../db/migrate.ts';
import { openStore, type Store } from '../db/open.ts';
import { StoreRefusal } from '../db/refusal.ts';

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
export function runOnStore(command: () => Promise<(store: Store) => Promise<void>>, { bulk = false }: Options = {}): Promise<void> {
  return runCommand(async () => {
    const work = await command();
    const config = readConfig(process.env);
    const store = openStore({ url: config.databaseUrl, poolSize: 2, synchronous: config.sqliteSynchronous, bulk });
    try {
      await migrate(store, { leaveAside: bulk });
      await work(store);
    } finally {
      await store.close();
    }
  });
}

/** Runs a command. An error that its user can correct prints one line and sets the exit code: 2 for wrong usage, else 1. */
export async function runCommand(command: () => Promise<void>): Promise<void> {
  try {
    await command();
  } catch (error) {
    if (!(error instanceof StoreRefusal || isUsageError(error))) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = error instanceof CommandError ? error.exitCode : error instanceof StoreRefusal ? 1 : 2;
  }
}

function isUsageError(error: unknown): error is Error {
  if (error instanceof CommandError || error instanceof ConfigError) return true;
  return error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}
