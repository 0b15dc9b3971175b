import type { Router } from '@koa/router';
import { errorCodes } from '../../contract/errors.ts';
import { buildOpenApi } from '../../contract/openapi.ts';
import type { Readiness } from '../background/pulse.ts';
import { VERSION } from '../process/version.ts';
import { publicFiles } from '../resources/public-files.ts';
import { openDownloadLink } from '../resources/tokens/download-links.ts';
import type { Services } from '../services.ts';
import { isErrorCode, Refusal } from '../verbs/problem.ts';
import type { Api } from './api.ts';
import { addDocs } from './docs.ts';
import { sendAnswer, sendFile, sendText } from './send.ts';
import type { WireState } from './wire.ts';

/** The pages that need no token: health, readiness, metrics, the documentation, the API document and the error types. */
export function addOpenPages(router: Router<WireState>, { metrics }: Services, readiness: Readiness): void {
  router.get('/healthz', (ctx) => sendText(ctx, 200, JSON.stringify({ status: 'ok' })));
  router.get('/readyz', (ctx) => {
    const { ready, checks } = readiness();
    sendText(ctx, ready ? 200 : 503, JSON.stringify({ status: ready ? 'ready' : 'not ready', checks }));
  });
  router.get('/openapi.json', (ctx) => sendText(ctx, 200, documentText()));
  addDocs(router);
  router.get('/metrics', async (ctx) => {
    metrics.ready.set(readiness().ready ? 1 : 0);
    ctx.set('Content-Type', metrics.registry.contentType);
    sendText(ctx, 200, await metrics.registry.metrics());
  });
  // The `type` of an error is a path, which leads here.
  router.get('/problems/:code', (ctx) => {
    const { code } = ctx.params;
    if (code === undefined || !isErrorCode(code)) throw new Refusal('route_not_found', `No endpoint has the path ${ctx.path}.`);
    const [status, title] = errorCodes[code];
    sendText(ctx, 200, JSON.stringify({ type: `/problems/${code}`, title, status, code }));
  });
}

/** Adds the public files at the root. If-None-Match with the file's ETag is answered 304. */
export function addPublicFiles(router: Router<WireState>, services: Services): void {
  for (const [folder, open] of Object.entries(publicFiles)) {
    router.get(`/${folder}/:name`, async (ctx) => {
      const answer = await open(services, { name: ctx.captures?.[0] ?? '', isTaken: ctx.method === 'GET' });
      const { ETag: etag } = answer.headers;
      if (etag === undefined || !ctx.get('if-none-match').includes(etag)) return sendFile(ctx, answer);
      await answer.content.close();
      const { 'Content-Type': _, ...headers } = answer.headers;
      sendAnswer(ctx, { status: 304, headers, body: null });
    });
  }
}

/** Adds the links by which a browser downloads a file once, without a token. HEAD does not use a link up. */
export function addOneTimeDownloads(router: Router<WireState>, services: Services, api: Api): void {
  router.get('/downloads/once/:code', async (ctx) => {
    const code = ctx.captures?.[0] ?? '';
    return sendFile(ctx, await openDownloadLink(services, { code, isTaken: ctx.method === 'GET', open: api.openContent }));
  });
}

let openApi: string | undefined;

/** Built at the first request, once for all servers of the process: most are never asked for it. */
function documentText(): string {
  openApi ??= JSON.stringify(buildOpenApi({ version: VERSION }));
  return openApi;
}
