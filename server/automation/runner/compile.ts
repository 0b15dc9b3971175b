import type { Claim } from '../../../contract/runner.ts';
import type { Services } from '../../services.ts';
import { storeCompiled } from './claiming-store.ts';
import type { Claimed } from './claims.ts';

/** Leaves the runner enough of the time in which it must confirm its claim. */
const WAIT_MS = 2000;

type Codes = Map<number, string | null>;

/**
 * Compiles the sources of which the store has nothing of the present format, as after an upgrade: workers cannot transform TypeScript. Returns
 * the claims that are ready in time. The others are not confirmed, so their runs are offered again, and are compiled by then.
 */
export async function compileMissing(services: Services, claimed: readonly Claimed[]): Promise<Claim[]> {
  const missing = new Map(claimed.flatMap(({ claim: { version }, isChecked }) => (isChecked ? [] : [[version.id, version.source_code]])));
  const codes: Codes = new Map();
  if (missing.size > 0) await inTime(Promise.all([...missing].map(([id, source]) => compile(services, codes, id, source))));
  return claimed.flatMap(({ claim, isChecked }) => {
    if (isChecked) return [claim];
    const code = codes.get(claim.version.id);
    return code === undefined ? [] : [{ ...claim, version: { ...claim.version, code } }];
  });
}

async function compile({ checker, store, log }: Services, codes: Codes, versionId: number, source: string): Promise<void> {
  const { code } = await checker.check(source);
  codes.set(versionId, code);
  // Without the row it is compiled again for the next claim.
  await store
    .write((db) => storeCompiled(db, versionId, code))
    .catch((error: unknown) => log.warn({ err: error, version_id: versionId }, 'what was compiled of a source was not stored'));
}

async function inTime(work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, WAIT_MS);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
