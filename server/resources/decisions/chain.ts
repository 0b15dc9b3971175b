import { createHash } from 'node:crypto';
import type { NewRow } from '../../db/tables.ts';
import { canonicalText } from '../../values/canonical.ts';
import type { Ctx } from '../../verbs/context.ts';
import * as store from './store.ts';

/** What of a decision its digest covers: all but its id and the digest itself. */
const CHAINED = [
  ...(['acts', 'admin_id', 'token_id', 'way', 'subject_type', 'subject_id', 'payload', 'decided_at', 'credential_id'] as const),
  ...(['public_key', 'authenticator_data', 'client_data', 'signature', 'origin', 'rp_id'] as const),
];

/** The digest of a decision after one with the digest `before`: where one between them is gone or changed, it is another one. */
export function chainOf(before: string | null, row: Omit<NewRow<'decisions'>, 'id' | 'chain'>): string {
  return createHash('sha256')
    .update(canonicalText([before, ...CHAINED.map((name) => row[name] ?? null)]))
    .digest('hex');
}

/** Keeps a decision as the next of the chain. The caller holds the lock of decisions. */
export async function keep(ctx: Pick<Ctx, 'db'>, row: Omit<NewRow<'decisions'>, 'id' | 'chain'>): Promise<void> {
  await store.insertDecision(ctx.db, { ...row, chain: chainOf(await store.selectChainHead(ctx.db), row) });
}
