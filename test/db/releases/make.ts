import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Engine } from '../../../server/db/dialect.ts';
import { VERSION } from '../../../server/process/version.ts';
import { startApp } from '../../helpers/app.ts';
import { storesFolder } from '../../helpers/postgres.ts';
import { startReceiver } from '../../helpers/receiver.ts';
import { createDatabase, stopPostgres } from '../../helpers/stores.ts';
import { readAll } from './answers.ts';
import { type Automation, makeAutomation } from './automation.ts';
import { folderOf, type Left, migrationDigests, type Release, SECRETS_KEY } from './releases.ts';
import { makeGoods } from './shop.ts';
import { saveStore } from './store-files.ts';

/** `npm run release:fixture`: writes what a shop of this version leaves, on both engines, for the tests of all later versions. */

const target = fileURLToPath(folderOf(VERSION));
const part = await mkdtemp(join(storesFolder(), 'backroom-release-'));
try {
  for (const engine of ['sqlite', 'postgres'] as const) await writeStore(engine);
  const release: Release = { version: VERSION, made_at: new Date().toISOString(), migrations: await migrationDigests() };
  await writeFile(join(part, 'release.json'), `${JSON.stringify(release, null, 2)}\n`);
  await rm(target, { recursive: true, force: true });
  await mkdir(target);
  for (const name of await readdir(part)) await writeFile(join(target, name), await readFile(join(part, name)));
} finally {
  await rm(part, { recursive: true, force: true });
  await stopPostgres();
}
process.stdout.write(`The stores of ${VERSION} are in ${relative('.', target)}.\n`);
process.exit();

async function writeStore(engine: Engine): Promise<void> {
  const database = await createDatabase(engine);
  const dataDir = await mkdtemp(join(storesFolder(), 'backroom-files-'));
  const receiver = await startReceiver();
  const env = { DATA_DIR: dataDir, SECRETS_KEY, ALLOW_PRIVATE_WEBHOOKS: 'true' };
  const app = await startApp(engine, { databaseUrl: database.url, env });
  const goods = await makeGoods(app, receiver);
  const automation = await makeAutomation(app, goods.customer);
  const answers = await readAll(app, pathsOf(automation));
  await app.close();
  await receiver.close();
  await saveStore(engine, database.url, part);
  await database.drop();
  const left: Left = { goods, automation, files: await filesBelow(dataDir), answers };
  await rm(dataDir, { recursive: true, force: true });
  await writeFile(join(part, `${engine}.json`), `${JSON.stringify(left, null, 1)}\n`);
}

/** A proposal stands in no list. */
function pathsOf({ proposal: { task, version, run } }: Automation): string[] {
  return [`/ai-tasks/${task}/versions/${version}`, `/ai-tasks/${task}/runs/${run}`, `/ai-tasks/${task}/runs/${run}/effects`];
}

async function filesBelow(folder: string): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) files[relative(folder, path)] = (await readFile(path)).toString('base64');
  }
  return files;
}
