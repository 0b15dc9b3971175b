import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { checkStore } from '../server/check-store.ts';
import { readConfig } from '../server/config.ts';
import { migrate, schemaGap } from '../server/db/migrate.ts';
import { isPostgresUrl, openStore, readsOf } from '../server/db/open.ts';
import { backupSqlite } from '../server/db/sqlite/backup.ts';
import { refuseUnfinishedCopy } from '../server/db/store-copy/progress.ts';
import { CommandError, runCommand } from '../server/shop-data/command.ts';

/** `backroom db migrate`, `db check` and `db backup FILE`; they work on the store that the environment names. */

await runCommand(main);

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { force: { type: 'boolean' } } });
  const [command, ...rest] = positionals;
  if (command === 'migrate') {
    if (rest.length > 0 || values.force) throw new CommandError('backroom db migrate takes no argument');
    return migrateStore();
  }
  if (command === 'check') {
    if (rest.length > 0 || values.force) throw new CommandError('backroom db check takes no argument');
    return check();
  }
  if (command !== 'backup')
    throw new CommandError(
      `"db ${command ?? ''}" is not a command; there are: db migrate, db check, db backup FILE, db copy FROM TO, db import`,
    );
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

/** Prints each check with what contradicts it; the exit code is 1 if anything does. */
async function check(): Promise<void> {
  const { databaseUrl, sqliteSynchronous, filesDir, filesS3 } = readConfig(process.env);
  requireStore(databaseUrl);
  const store = openStore({ url: databaseUrl, poolSize: 2, synchronous: sqliteSynchronous });
  let wrong = 0;
  try {
    await refuseUnfinishedCopy(readsOf(store));
    const gap = await schemaGap(store);
    if (gap === null) {
      throw new CommandError('the store has no schema yet, or is not one of this program: backroom db migrate makes it', { exitCode: 1 });
    }
    if (gap.missing.length > 0) {
      throw new CommandError(`the store has an older schema (${gap.missing.join(', ')} is missing): run backroom db migrate first`, {
        exitCode: 1,
      });
    }
    for await (const { name, count, faults } of checkStore(store, { filesDir, filesS3 })) {
      process.stdout.write(`${count === 0 ? 'ok   ' : 'WRONG'} ${name}\n`);
      for (const fault of faults) process.stdout.write(`        ${fault}\n`);
      if (count > faults.length) process.stdout.write(`        and ${count - faults.length} more\n`);
      wrong += count;
    }
  } finally {
    await store.close();
  }
  if (wrong > 0) process.exitCode = 1;
}

function requireStore(url: string): void {
  if (isPostgresUrl(url) || existsSync(url)) return;
  throw new CommandError(`there is no store at ${url}: name it by DATA_DIR or DATABASE_URL`, { exitCode: 1 });
}

async function backup(file: string, force: boolean): Promise<void> {
  const { databaseUrl, filesDir, filesS3, secretsKeyFile } = readConfig(process.env);
  if (isPostgresUrl(databaseUrl)) {
    throw new CommandError(
      'the store is in PostgreSQL: make its backup with pg_dump (pg_dump --format=custom --file=FILE "$DATABASE_URL")',
    );
  }
  requireStore(databaseUrl);
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
