import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sirv from 'sirv';
import { contentTag } from './content-tag.ts';
import type { Middleware } from './wire.ts';

/** Where `npm run build:console` writes. */
const FOLDER = fileURLToPath(new URL('../../dist/console', import.meta.url));
const ASSETS = '/assets/';

/** First segments of paths that belong to the server: a page of the console never stands there. */
export const OWNED: ReadonlySet<string> = new Set(
  'admin media downloads labels webhooks hooks mcp oauth .well-known unsubscribe problems healthz readyz metrics openapi.json docs api'.split(
    ' ',
  ),
);

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types backroom',
].join('; ');

/** Shows the shop's templates to admins, and can do nothing else: its scripts are this server's own, and it has no origin. */
const PREVIEW = '/preview.html';
const PREVIEW_POLICY = [
  'sandbox allow-scripts',
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');

/**
 * Serves the built console, compressed beforehand. A path of its pages gets the start page when a browser navigates there; a
 * missing file, and every client that asks for something else than a page, gets what follows: 404.
 */
export function consoleFiles(): Middleware {
  if (!existsSync(join(FOLDER, 'index.html'))) return (_, next) => next();
  const tags = contentTags();
  const files = sirv(FOLDER, {
    single: true,
    brotli: true,
    gzip: true,
    setHeaders(res, path) {
      // Names of built files change with their content; the start page names them.
      res.setHeader('Cache-Control', path.startsWith(ASSETS) ? 'public, max-age=31536000, immutable' : 'no-cache');
      res.setHeader('Content-Security-Policy', path === PREVIEW ? PREVIEW_POLICY : POLICY);
      res.setHeader('Referrer-Policy', 'same-origin');
      res.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
    },
  });
  return async (ctx, next) => {
    const [, first = ''] = ctx.path.split('/');
    const isFile = /\.\w+$/.test(ctx.path);
    const isPage = ctx.accepts('html', 'json') === 'html' && ctx.headers.accept?.includes('text/html') === true;
    if ((ctx.method !== 'GET' && ctx.method !== 'HEAD') || OWNED.has(first) || !(isFile || isPage)) return next();
    let isOurs = true;
    ctx.res.statusCode = 200;
    if (!ctx.path.startsWith(ASSETS)) {
      ctx.set('ETag', tags(ctx.path));
      if (ctx.fresh) {
        ctx.status = 304;
        return;
      }
    }
    files(ctx.req, ctx.res, () => {
      isOurs = false;
    });
    if (isOurs) ctx.respond = false;
    else {
      ctx.remove('ETag');
      ctx.res.statusCode = 404;
      await next();
    }
  };
}

/** The ETags of the files that keep their names; all other paths are pages, and get the start page. */
function contentTags(): (path: string) => string {
  const names = readdirSync(FOLDER, { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : []));
  const tags = new Map(names.map((name) => [`/${name}`, contentTag(readFileSync(join(FOLDER, name)))]));
  const start = tags.get('/index.html') ?? '';
  return (path) => tags.get(path) ?? start;
}
