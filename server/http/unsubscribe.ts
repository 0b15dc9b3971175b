import { createHash } from 'node:crypto';
import type { Router } from '@koa/router';
import { phrasesFor } from '../resources/mail/locales/index.ts';
import { isUnsubscribeLink, unsubscribe } from '../resources/unsubscribe/domain.ts';
import type { Services } from '../services.ts';
import { PAGE_COLOURS } from './page-colours.ts';
import { countRequest } from './rate-limit.ts';
import { sendText } from './send.ts';
import type { Wire, WireState } from './wire.ts';

const STYLE = `${PAGE_COLOURS}
body{font:17px/1.5 system-ui,sans-serif;max-width:34rem;margin:4rem auto;padding:0 1rem}
button{font:inherit;padding:.5rem 1.5rem;background:var(--accent);color:var(--on-accent);border:0;border-radius:4px}`;
/** The page loads nothing, runs no script, and sends its form to itself alone. */
const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`;

/** From one address; a mail provider that sends the request for its users sends each of them once. */
const USES_PER_MINUTE = 60;

/**
 * Adds the page behind the link of a marketing mail. GET changes nothing, because mail scanners follow links; the button on the page, or
 * the recipient's mail program (RFC 8058), sends the POST.
 */
export function addUnsubscribePage(router: Router<WireState>, services: Services): void {
  router.get('/unsubscribe/:token', async (ctx) => {
    const isKnown = await isUnsubscribeLink(services, ctx.params['token'] ?? '');
    await sendPage(ctx, services, isKnown ? 'question' : 'unknown');
  });
  const uses = { name: 'unsubscribe', limiter: services.rateLimits.limiter('unsubscribe'), perMinute: USES_PER_MINUTE };
  router.post('/unsubscribe/:token', async (ctx) => {
    countRequest(ctx, uses, ctx.state.ip);
    const token = ctx.params['token'] ?? '';
    // A link that is not there waits for no writer, and keeps none from others.
    const isDone = (await isUnsubscribeLink(services, token)) && (await unsubscribe(services, token));
    await sendPage(ctx, services, isDone ? 'done' : 'unknown');
  });
}

async function sendPage(ctx: Wire, { settings, store }: Services, says: 'question' | 'done' | 'unknown'): Promise<void> {
  const { shop_name, locale } = await settings.get(store.reader);
  const { unsubscribe: phrases } = phrasesFor(locale);
  const shop = escaped(shop_name);
  const words = escaped(phrases[says].replace('{shop}', () => shop_name));
  const form = says === 'question' ? `<form method="post"><button>${escaped(phrases.button)}</button></form>` : '';
  ctx.set('Content-Type', 'text/html; charset=utf-8');
  ctx.set('Content-Security-Policy', POLICY);
  ctx.set('Referrer-Policy', 'no-referrer');
  ctx.set('X-Robots-Tag', 'noindex');
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${shop}</title><style>${STYLE}</style>`;
  const language = escaped(locale);
  const page = `<!doctype html>\n<html lang="${language}"><head>${head}</head><body><main><h1>${shop}</h1><p>${words}</p>${form}</main></body></html>\n`;
  sendText(ctx, says === 'unknown' ? 404 : 200, page);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
