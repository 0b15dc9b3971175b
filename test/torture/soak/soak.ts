import { randomBytes } from 'node:crypto';
import { createClient } from '../../../contract/client.ts';
import type { Store } from '../../../server/db/open.ts';
import { actions } from './actions.ts';
import { type Check, checkAftermath } from './checks.ts';
import { connect } from './client.ts';
import { Ledger } from './ledger.ts';
import { randomOf } from './random.ts';
import { type Goods, stockShop } from './shop.ts';

/** `atLeast`: the least number of requests, even when they take longer than `seconds`. */
export type Soak = { url: string; token: string; store: Store; clients: number; seconds: number; seed: number; atLeast?: number };
export type SoakReport = { ledger: Ledger; goods: Goods; checks: Check[]; requests: number; seconds: number };

/** Lets clients create, edit, pay, cancel and reopen orders of the same goods at once; then checks that the shop is consistent. */
export async function soak({ url, token, store, clients, seconds, seed, atLeast = 0 }: Soak): Promise<SoakReport> {
  const setup = connect(url, token, 1, new Ledger());
  const api = createClient(async ({ method, path, body, headers = {} }) => {
    const reply = await setup.call({ action: 'setup', method, path, body, headers });
    return { status: reply.status, headers: {}, body: reply.body };
  });
  const goods = await stockShop(api, randomBytes(4).toString('hex'));
  const { prices_include_tax: before } = await api.settings.get();

  const ledger = new Ledger();
  const client = connect(url, token, clients * 2, ledger);
  const from = performance.now();
  const end = from + seconds * 1000;
  const work = Array.from({ length: clients }, async (_, n) => {
    const random = randomOf(seed * 1000 + n);
    while (performance.now() < end || requestsOf(ledger) < atLeast) await choose(random.below(WEIGHTS))({ client, ledger, goods, random });
  });
  // The setting changes halfway, so that half of the orders are made while prices include tax.
  const half = setTimeout(() => void api.settings.update({ prices_include_tax: !before }), (seconds * 1000) / 2);
  try {
    await Promise.all(work);
  } finally {
    clearTimeout(half);
  }
  const took = (performance.now() - from) / 1000;
  await client.close();
  await api.settings.update({ prices_include_tax: before });
  const checks = await checkAftermath({ db: store.reader, api, ledger, goods });
  await setup.close();
  return { ledger, goods, checks, requests: requestsOf(ledger), seconds: took };
}

function requestsOf({ actions: made }: Ledger): number {
  return [...made.values()].reduce((sum, { times }) => sum + times.length, 0);
}

const WEIGHTS = actions.reduce((sum, [weight]) => sum + weight, 0);

function choose(point: number): (typeof actions)[number][1] {
  let passed = 0;
  for (const [weight, action] of actions) {
    passed += weight;
    if (point < passed) return action;
  }
  throw new Error(`no action at ${point}`);
}
