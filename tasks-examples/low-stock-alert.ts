/**
 * Posts products that have become low to a channel of Slack by an incoming webhook. The secret `slack_webhook` for the host
 * hooks.slack.com is what follows `/services/` in the webhook's address. For another system that takes Slack's messages (Mattermost, Rocket.Chat),
 * change the address here and in `http_allow`. A product is posted once, and again only after its stock was above the threshold in
 * the meantime: the state keeps what was low at the last run.
 */
import { log, parameters, result, secret, state } from 'backroom';
import type { Admin, Http } from './low-stock-alert.permissions.ts';

declare const admin: Admin;
declare const http: Http;

const LINES_MAX = 40;
type Low = { id: number; name: string; stock: number };

export default async function main() {
  const low = await findLow();
  const known = new Set(await state.get<number[]>('low'));
  const fresh = low.filter(({ id }) => !known.has(id));
  if (fresh.length > 0) await post(fresh);
  // A state that stays the same is not written: a run without news has no effect.
  if (fresh.length > 0 || known.size !== low.length) {
    await state.set(
      'low',
      low.map(({ id }) => id),
    );
  }
  for (const { id, name, stock } of fresh) result('posted', name, { product_id: id, stock });
  log(`${low.length} products are low, ${fresh.length} of them newly`);
  return { low: low.length, posted: fresh.length };
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
