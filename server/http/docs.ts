import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Router } from '@koa/router';
import { Refusal } from '../verbs/problem.ts';
import { contentTag } from './content-tag.ts';
import { PAGE_COLOURS } from './page-colours.ts';
import { sendText } from './send.ts';
import type { Wire, WireState } from './wire.ts';

const unpack = promisify(gunzip);

/** Where `npm run build:docs` writes: texts packed by gzip under their name with `.gz`, all else as it is. */
const FOLDER = fileURLToPath(new URL('../../dist/docs', import.meta.url));

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.gif': 'image/gif',
  '.woff2': 'font/woff2',
};

const NO_SCRIPT = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  NO_SCRIPT,
  "require-trusted-types-for 'script'",
  'trusted-types vue',
].join('; ');

/** Adds the documentation (spec G25). A path is a page with or without `.html`, the Markdown of one, or a file of the site. */
export function addDocs(router: Router<WireState>, folder = FOLDER): void {
  const fileOf = (path: string): Promise<File | null> => fileIn(folder, path);
  router.get('/docs', (ctx) => redirect(ctx, '/docs/'));
  router.get('/api', (ctx) => redirect(ctx, '/docs/api/'));
  router.get(/^\/docs\/(.*)$/, async (ctx) => {
    const path = ctx.captures?.[0] ?? '';
    const found = await fileOf(path);
    if (found !== null) return send(ctx, found);
    if (path !== '' && (await fileOf(`${path}/index.html`)) !== null) return redirect(ctx, `/docs/${path}/`);
    if (!ctx.headers.accept?.includes('text/html')) throw noSuchPath(ctx);
    const missing = await fileOf('404.html');
    if (missing === null) notBuilt(ctx);
    else await send(ctx, missing, 404);
  });
  for (const name of ['llms.txt', 'llms-full.txt']) {
    router.get(`/${name}`, async (ctx) => {
      const found = await fileOf(name);
      if (found === null) throw noSuchPath(ctx);
      await send(ctx, found);
    });
  }
}

const noSuchPath = ({ path }: Wire): Refusal => new Refusal('route_not_found', `No endpoint has the path ${path}.`);

function redirect(ctx: Wire, to: string): void {
  ctx.set('Location', to);
  sendText(ctx, 308, null);
}

type File = { path: string; stored: string; isPacked: boolean };

/** The file of the site that a path leads to. */
async function fileIn(folder: string, path: string): Promise<File | null> {
  // The names of the site are plain: nothing else is looked for, and no way leads out of its folder.
  if (!/^(?:[\w@-][\w.@-]*\/)*(?:[\w@-][\w.@-]*)?$/.test(path)) return null;
  for (const name of path === '' || path.endsWith('/') ? [`${path}index.html`] : [path, `${path}.html`]) {
    for (const isPacked of [true, false]) {
      const stored = join(folder, isPacked ? `${name}.gz` : name);
      if ((await stat(stored).catch(() => null))?.isFile()) return { path: name, stored, isPacked };
    }
  }
  return null;
}

async function send(ctx: Wire, { path, stored, isPacked }: File, status = 200): Promise<void> {
  const bytes = await readFile(stored);
  ctx.set({
    // Names of built files change with their content; pages name them.
    'Cache-Control': path.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    'Content-Type': TYPES[extname(path)] ?? 'application/octet-stream',
    'Content-Security-Policy': POLICY,
    'Referrer-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    ETag: contentTag(bytes),
  });
  ctx.status = status;
  if (isPacked) ctx.vary('Accept-Encoding');
  if (status === 200 && ctx.fresh) {
    ctx.status = 304;
    return;
  }
  const isPackedSent = isPacked && ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
  if (isPackedSent) ctx.set('Content-Encoding', 'gzip');
  ctx.body = isPacked && !isPackedSent ? await unpack(bytes) : bytes;
}

const STYLE = `${PAGE_COLOURS}
body{font:15px/1.6 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1rem}code{font:13px ui-monospace,monospace}`;
const HASH = createHash('sha256').update(STYLE).digest('base64');

/** A clone of the project without the built documentation. */
function notBuilt(ctx: Wire): void {
  ctx.set({
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${HASH}'; ${NO_SCRIPT}`,
    'Cache-Control': 'no-store',
  });
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Documentation · Backroom</title><style>${STYLE}</style>
<main><h1>The documentation is not built yet</h1>
<p>Run <code>npm run build:docs</code> in the folder of the project, then load this page again. It takes a quarter of a minute.</p>
<p>The API is described in <a href="/openapi.json">/openapi.json</a>.</p></main></html>`;
  sendText(ctx, 404, page);
}
