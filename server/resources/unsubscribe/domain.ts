import { hash } from 'node:crypto';
import type { Services } from '../../services.ts';
import type { Ctx } from '../../verbs/context.ts';
import { Refusal } from '../../verbs/problem.ts';
import type { Retention } from '../../verbs/retention.ts';
import { optOut } from '../customers/domain.ts';
import { randomSecret } from '../tokens/secret.ts';
import * as store from './store.ts';

/** Links in marketing mails by which a customer opts out. A link holds a token; the store has only its hash. */

/** So long does a link in a mail work. */
export const retention: Retention = { days: () => 3 * 365, deleteBatch: store.deleteOldLinks };

const hashOf = (token: string): string => hash('sha256', token, 'hex');

/** Makes a link for one mail to the customer. */
export async function makeUnsubscribeLink(ctx: Ctx, customerId: number): Promise<{ base: string; url: string }> {
  const { public_url: origin } = ctx.settings;
  if (origin === null) {
    throw new Refusal(
      'public_url_not_set',
      'A mail of the kind marketing has a link to opt out, which needs the public address of the server: set public_url in the settings.',
    );
  }
  const token = randomSecret(ctx.random);
  await store.insertLink(ctx.db, { token_hash: hashOf(token), customer_id: customerId, created_at: ctx.now });
  const base = `${origin}/unsubscribe/`;
  return { base, url: base + token };
}

/** Whether the link is known. */
export async function isUnsubscribeLink({ store: { reader } }: Services, token: string): Promise<boolean> {
  return (await store.selectCustomerId(reader, hashOf(token))) !== null;
}

/** Opts the customer of the link out; returns false if the link is not known. A second use changes nothing. */
export function unsubscribe(services: Services, token: string): Promise<boolean> {
  return services.transact('customers.unsubscribe', async (ctx) => {
    const customerId = await store.selectCustomerId(ctx.db, hashOf(token));
    if (customerId === null) return false;
    await optOut(ctx, customerId);
    return true;
  });
}

export async function forgetUnsubscribeLinks({ db }: Pick<Ctx, 'db'>, customerId: number): Promise<void> {
  await store.deleteLinksOf(db, customerId);
}
