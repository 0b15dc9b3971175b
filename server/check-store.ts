import { type Checked, carryOut } from './db/checks/check.ts';
import { engineChecks } from './db/checks/engine.ts';
import { runChecks } from './db/checks/runs.ts';
import { shopChecks } from './db/checks/shop.ts';
import { buyerChecks, checkFoldedTexts } from './db/checks/texts.ts';
import type { Store } from './db/open.ts';
import { openFiles } from './providers/files/open.ts';
import { checkOrphans, checkStoredFiles, presentPrefix } from './resources/storage/checks.ts';

/**
 * Checks a store, one thing after the other, while servers may go on working: each check sees one state of the store, and none takes the
 * writer. `config`: where the shop's files are.
 */
export async function* checkStore(store: Store, config: Parameters<typeof openFiles>[0]): AsyncGenerator<Checked> {
  for (const check of [...engineChecks(store.dialect), ...shopChecks, ...buyerChecks(store.dialect), ...runChecks]) {
    yield await store.heavySnapshot((db) => carryOut(db, check));
  }
  yield await checkFoldedTexts(store);
  const prefix = await presentPrefix(store);
  if (prefix === null) return;
  const files = await openFiles(config, prefix);
  yield await checkStoredFiles(store, files);
  yield await checkOrphans(store, files);
}
