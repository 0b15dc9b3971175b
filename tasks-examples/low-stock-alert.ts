/**
 * Posts products that have become low to a channel of Slack by an incoming webhook. The secret `slack_webhook` for the host
 * hooks.slack.com is what follows `/services/` in the webhook's address. For another system that takes Slack's messages (Mattermost, Rocket.Chat),
 * change the address here and in `http_allow`. A product is posted once, and again only after its stock was above the threshold in
 * the meantime: the state keeps what was low at the last run.
 */
import { checkpoint, log, parameters, result, secret, state } from 'backroom';
import type { Script } from './low-stock-alert.permissions.ts';

declare const admin: Script['admin'];
declare const http: Script['http'];

const LINES_MAX = 40;
const KEY = 'low';
const IDS_MAX = 5000;
type Low = { id: number; name: string; stock: number };

export default async function main() {
  const low = await findLow();
  const known = await readKnown();
  const fresh = low.filter(({ id }) => !known.has(id));
  // Remembered first: what the state cannot take would be posted again by each later run.
  if (fresh.length > 0 || known.size !== low.length) await keep(low.map(({ id }) => id));
  try {
    if (fresh.length > 0) await post(fresh);
  } catch (error) {
    await keep([...known]);
    await checkpoint({});
    throw error;
  }
  for (const { id, name, stock } of fresh) result('posted', name, { product_id: id, stock });
  log(`${low.length} products are low, ${fresh.length} of them newly`);
  return { low: low.length, posted: fresh.length };
}

/** What was low at the last run. One value of the state takes 5,000 ids, so a large shop has several. */
async function readKnown(): Promise<Set<number>> {
  const known = new Set<number>();
  for (const { key } of await state.list(KEY)) for (const id of (await state.get<number[]>(key)) ?? []) known.add(id);
  return known;
}

async function keep(ids: readonly number[]): Promise<void> {
  const parts = Math.max(1, Math.ceil(ids.length / IDS_MAX));
  const keyOf = (part: number): string => (part === 0 ? KEY : `${KEY}.${part}`);
  for (let part = 0; part < parts; part += 1) await state.set(keyOf(part), ids.slice(part * IDS_MAX, (part + 1) * IDS_MAX));
  for (const { key } of await state.list(`${KEY}.`)) if (Number(key.slice(KEY.length + 1)) >= parts) await state.delete(key);
}

async function post(products: readonly Low[]): Promise<void> {
  const lines = products.slice(0, LINES_MAX).map(({ name, stock }) => `• ${escaped(name)}: ${stock} left`);
  if (products.length > LINES_MAX) lines.push(`and ${products.length - LINES_MAX} more`);
  const { status, body } = await http.request({
    method: 'POST',
    url: `https://hooks.slack.com/services/${secret('slack_webhook')}`,
    body: { text: `*Low stock*\n${lines.join('\n')}` },
    sample: { status: 200, body: 'ok' },
  });
  if (status !== 200) throw new Error(`Slack answered ${status}: ${body.slice(0, 200)}`);
}

async function findLow(): Promise<Low[]> {
  const low: Low[] = [];
  for await (const { id, name, variants, low_stock_threshold } of admin.products.each({ status: 'active' })) {
    const tracked = variants.filter(({ active, track_stock }) => active && track_stock);
    const stock = tracked.reduce((sum, variant) => sum + variant.stock, 0);
    if (tracked.length > 0 && stock <= (low_stock_threshold ?? Number(parameters.threshold))) low.push({ id, name, stock });
  }
  return low;
}

/** Slack reads `<!channel>` and links in a text; a product's name must not make any. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
