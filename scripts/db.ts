import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ConfigError, readConfig } from '../server/config.ts';
import { backupSqlite } from '../server/db/backup.ts';
import { migrate } from '../server/db/migrate.ts';
import { isPostgresUrl, openStore } from '../server/db/open.ts';
import { CommandError } from '../server/shop-data/command.ts';

/** `backroom db migrate` and `backroom db backup FILE`; they work on the store that the environment names. */

try {
  await main();
} catch (error) {
  const isUsage = error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
  if (!(error instanceof CommandError || error instanceof ConfigError || isUsage)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = error instanceof CommandError ? error.exitCode : 2;
}

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { force: { type: 'boolean' } } });
  const [command, ...rest] = positionals;
  if (command === 'migrate') {
    if (rest.length > 0 || values.force) throw new CommandError('backroom db migrate takes no argument');
    return migrateStore();
  }
  if (command !== 'backup')
    throw new CommandError(`"db ${command ?? ''}" is not a command; there are: db migrate, db backup FILE, db import`);
  const [file, ...others] = rest;
  if (file === undefined || others.length > 0) throw new CommandError('exactly one file is expected: backroom db backup FILE [--force]');
  return backup(resolve(file), values.force === true);
}

async function migrateStore(): Promise<void> {
  const { databaseUrl, sqliteSynchronous } = readConfig(process.env);
  const store = openStore({ url: databaseUrl, poolSize: 2, synchronous: sqliteSynchronous });
  try {
    const applied = await migrate(store);
    process.stdout.write(applied.length === 0 ? 'The store has the newest schema already.\n' : `Applied: ${applied.join(', ')}\n`);
  } finally {
    await store.close();
  }
}

async function backup(file: string, force: boolean): Promise<void> {
  const { databaseUrl, filesDir, filesS3, secretsKeyFile } = readConfig(process.env);
  if (isPostgresUrl(databaseUrl)) {
    throw new CommandError(
      'the store is in PostgreSQL: make its backup with pg_dump (pg_dump --format=custom --file=FILE "$DATABASE_URL")',
    );
  }
  if (!existsSync(databaseUrl))
    throw new CommandError(`there is no store at ${databaseUrl}: name it by DATA_DIR or DATABASE_URL`, { exitCode: 1 });
  if (existsSync(file) && (resolve(databaseUrl) === file || statSync(file).isDirectory())) {
    throw new CommandError(`${file} is ${resolve(databaseUrl) === file ? 'the store itself' : 'a folder'}: give another FILE`);
  }
  if (existsSync(file) && !force)
    throw new CommandError(`${file} is already there: give another FILE, or --force to replace it`, { exitCode: 1 });
  await backupSqlite(databaseUrl, file).catch((error) => {
    throw new CommandError(`the backup failed: ${error instanceof Error ? error.message : String(error)}`, { cause: error, exitCode: 1 });
  });
  process.stdout.write(`${file}: ${statSync(file).size} bytes\n`);
  if (existsSync(secretsKeyFile))
    process.stdout.write(`The key of its secrets is not in it: keep a copy of ${secretsKeyFile} elsewhere.\n`);
  if (filesS3 === null) process.stdout.write(`Uploaded files are not in it: copy ${filesDir} as well.\n`);
}
