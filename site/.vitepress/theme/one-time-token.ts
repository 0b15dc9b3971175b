import { keptSession } from '../../../console/api/kept-session.ts';

/** How the examples name the reader's token. */
const NAMED = /\$(?:BACKROOM_TOKEN|TOKEN)\b/g;

/**
 * Beneath each block of commands that needs a token, offers a reader who is signed in to the console to copy it with tokens in place of their
 * names: one for each request, which is worth nothing afterwards (spec AU19).
 */
export function offerOneTimeTokens(blocks: Iterable<Element>): void {
  // Without a page that counts as safe, a browser lets nothing be copied.
  if (navigator.clipboard === undefined || keptSession() === null) return;
  for (const block of blocks) {
    const code = block.querySelector('pre code');
    if (code === null || block.querySelector('.with-token') !== null || code.textContent.search(NAMED) === -1) continue;
    block.append(offer(code));
  }
}

function offer(code: Element): Element {
  const line = document.createElement('p');
  const button = document.createElement('button');
  const told = document.createElement('span');
  line.className = 'with-token';
  button.textContent = 'Copy with a one-time token';
  told.role = 'status';
  button.addEventListener('click', async () => {
    button.disabled = true;
    told.textContent = await copyWithTokens(code.textContent);
    button.disabled = false;
  });
  line.append(told, button);
  return line;
}

/** Copies the text with a token for each request; returns what to tell the reader. */
async function copyWithTokens(text: string): Promise<string> {
  let obstacle: string | null = null;
  const whole = withTokens(text).catch((error: unknown) => {
    obstacle = error instanceof NotMade ? error.message : 'the shop cannot be reached';
    throw error;
  });
  try {
    // The text is promised, since browsers let a page copy only while a click is fresh.
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': whole })]);
    return 'Copied. Its token is good for one request, within 10 minutes.';
  } catch {
    return `Nothing was copied: ${obstacle ?? 'the browser does not allow it'}.`;
  }
}

/** Why no token was made, as the reader is told. */
class NotMade extends Error {}

async function withTokens(text: string): Promise<string> {
  const session = keptSession();
  if (session === null) throw new NotMade('nobody is signed in to the console any more');
  const tokens: string[] = [];
  for (const _ of text.matchAll(NAMED)) {
    const answer = await fetch('/admin/api/me/tokens', {
      method: 'POST',
      headers: { authorization: `Bearer ${session.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Example of the documentation', single_use: true }),
    });
    if (answer.status === 401) throw new NotMade('sign in to the console again');
    const made: { token?: unknown; title?: unknown } = await answer.json();
    if (typeof made.token !== 'string') throw new NotMade(String(made.title));
    tokens.push(made.token);
  }
  return text.replaceAll(NAMED, () => tokens.shift() ?? '');
}
