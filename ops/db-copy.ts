import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { showProgress } from '../cli/progress-bar.ts';
import { oneLine, print } from '../cli/screen.ts';
import { type Copying, compareStores, copyStore } from '../server/copy-store.ts';
import { isTemporaryFault } from '../server/db/faults.ts';
import { isPostgresUrl, openStore, readsOf } from '../server/db/open.ts';
import { type Beside, readBeside } from '../server/db/store-copy/beside.ts';
import type { Compared } from '../server/db/store-copy/compare.ts';
import { endCopy, refuseUnfinishedCopy } from '../server/db/store-copy/progress.ts';
import { withQuietSource } from '../server/db/store-copy/source.ts';
import { CommandError, runCommand } from '../server/shop-data/command.ts';

/** `backroom db copy FROM TO`: copies a store from SQLite into PostgreSQL or back, and compares both row by row. */

const USAGE = 'backroom db copy FROM TO [--verify]';

/** A place of a store. `text`: as it may be shown, without a password. */
type Place = { url: string; text: string; folder: string | null };

/** Codes of the engines for a database that is not there, or not open to this account, and for a file that is no database. */
const NOT_OPEN = new Set(['3D000', '28P01', '28000', '42501', 'ENOTFOUND', 'EACCES', 'ENOTDIR', 'SQLITE_NOTADB', 'SQLITE_CANTOPEN']);

await runCommand(async () => {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { verify: { type: 'boolean', default: false } } });
  const [from, to, ...rest] = positionals;
  if (from === undefined || to === undefined || rest.length > 0)
    throw new CommandError(`FROM and TO are expected, each a folder, sqlite:FILE or postgres://…: ${USAGE}`);
  const [source, target] = [placeOf(from), placeOf(to)];
  if (isPostgresUrl(source.url) === isPostgresUrl(target.url)) {
    const how = isPostgresUrl(source.url) ? 'PostgreSQL: use pg_dump and pg_restore' : 'SQLite: use backroom db backup FILE';
    throw new CommandError(`both stores are in ${how}; this command copies from SQLite to PostgreSQL or back`);
  }
  if (!isPostgresUrl(source.url) && !existsSync(source.url)) throw new CommandError(`there is no store at ${source.text}`, { exitCode: 1 });
  await (values.verify ? verify(source, target) : copy(source, target)).catch(explain);
});

/** Throws an error of the databases in one line, if the user of the command can do something about it. */
function explain(error: unknown): never {
  if (!(error instanceof Error)) throw error;
  const code = 'code' in error ? String(error.code) : '';
  if (isTemporaryFault(error))
    throw new CommandError(`a database does not answer (${error.message || code}): repeat the command later`, {
      exitCode: 1,
      cause: error,
    });
  if (NOT_OPEN.has(code)) throw new CommandError(`a database cannot be opened: ${error.message}`, { exitCode: 1, cause: error });
  throw error;
}

/** The address of a store, as DATABASE_URL or DATA_DIR give it. */
function placeOf(word: string): Place {
  if (isPostgresUrl(word)) {
    if (!URL.canParse(word))
      throw new CommandError('the address of PostgreSQL is not valid: postgres://user:password@host/database is expected');
    const { host, pathname } = new URL(word);
    return { url: word, text: `postgres://${host}${pathname}`, folder: null };
  }
  if (/^[a-z]+:\/\//.test(word))
    throw new CommandError('an address must be a folder, sqlite:FILE or postgres://user:password@host/database');
  const isFile = word.startsWith('sqlite:') || (existsSync(word) && statSync(word).isFile());
  const url = isFile ? resolve(word.replace(/^sqlite:/, '')) : join(resolve(word), 'backroom.db');
  return { url, text: url, folder: dirname(url) };
}

async function copy(source: Place, target: Place): Promise<void> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const progress = showProgress(process.stderr);
  const kept = await withQuietSource(source.url, async (quiet) => {
    const store = openStore({ url: target.url, poolSize: 2, bulk: true, unchecked: true });
    try {
      const copying: Copying = { onProgress: progress.update, signal: stop.signal };
      const { outcome, rows, of } = await copyStore(quiet, { ...store, url: target.url }, copying);
      if (outcome === 'stopped')
        throw new CommandError(`stopped after ${rows} of ${of} rows; the same command continues from there`, { exitCode: 130 });
      const compared = compareStores(quiet, readsOf(store), progress.update);
      const wrong = await report(compared, progress, stop.signal);
      if (wrong > 0)
        throw new CommandError('the copy differs from its source, so no server may use it: empty the target and copy again', {
          exitCode: 1,
        });
      await endCopy(store);
      return await readBeside(quiet);
    } finally {
      progress.end();
      await store.close();
    }
  });
  print(process.stdout, `The store is copied to ${target.text}: start the servers on it.\n`);
  tellBeside(kept, source, target);
}

async function verify(source: Place, target: Place): Promise<void> {
  if (!isPostgresUrl(target.url) && !existsSync(target.url)) throw new CommandError(`there is no store at ${target.text}`, { exitCode: 1 });
  const progress = showProgress(process.stderr);
  const [one, other] = [openStore({ url: source.url, poolSize: 2 }), openStore({ url: target.url, poolSize: 2 })];
  try {
    for (const { reader, dialect } of [one, other]) await refuseUnfinishedCopy({ db: reader, dialect });
    // Each store is read in one snapshot, so its servers may go on writing.
    const wrong = await one.snapshot((from) =>
      other.snapshot((to) => {
        const sides = [
          { db: from, dialect: one.dialect },
          { db: to, dialect: other.dialect },
        ] as const;
        return report(compareStores(...sides, progress.update), progress);
      }),
    );
    if (wrong > 0) process.exitCode = 1;
  } finally {
    progress.end();
    await one.close();
    await other.close();
  }
}

/** Prints each table with rows, with its differences; resolves with how many there are. */
async function report(tables: AsyncIterable<Compared>, progress: ReturnType<typeof showProgress>, signal?: AbortSignal): Promise<number> {
  let [wrong, empty] = [0, 0];
  for await (const { table, rows, count, faults } of tables) {
    if (signal?.aborted) throw new CommandError('stopped before all rows were compared; the same command compares them', { exitCode: 130 });
    wrong += count;
    if (count === 0 && rows.source === 0) {
      empty += 1;
      continue;
    }
    progress.end();
    const counted = rows.source === rows.target ? `${rows.source}` : `${rows.source} in the source, ${rows.target} in the target`;
    print(process.stdout, `${count === 0 ? 'ok   ' : 'WRONG'} ${table}: ${counted}\n`);
    for (const fault of faults) print(process.stdout, `        ${oneLine(fault)}\n`);
    if (count > faults.length) print(process.stdout, `        and ${count - faults.length} more\n`);
  }
  progress.end();
  if (empty > 0) print(process.stdout, `ok    ${empty} tables are empty in both\n`);
  return wrong;
}

/** Says what the servers of the copy need beside its rows. */
function tellBeside({ files, bytes, secrets }: Beside, source: Place, target: Place): void {
  const [old, present] = [source, target].map(({ folder }) => folder ?? 'DATA_DIR');
  if (files > 0) {
    print(
      process.stdout,
      `Its files (${files}, ${bytes} bytes) are not rows. If they are in a folder, the servers of the copy need them: keep their DATA_DIR as it is, or copy ${old}/files to ${present}/files. In a bucket (FILES_S3_BUCKET) they stay where they are.\n`,
    );
  }
  if (secrets > 0)
    print(process.stdout, `Its secrets (${secrets}) need the key that they have: SECRETS_KEY, or ${old}/secrets.key in ${present}.\n`);
}
