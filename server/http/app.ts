import { Router } from '@koa/router';
import Koa from 'koa';
import { PREFIX } from '../../contract/endpoint.ts';
import type { Readiness } from '../background/pulse.ts';
import { receiveFrom } from '../resources/provider-events/receive.ts';
import type { Services } from '../services.ts';
import { accessLog } from './access-log.ts';
import type { Api } from './api.ts';
import { authentication } from './authentication.ts';
import { commonHeaders } from './common-headers.ts';
import { consoleFiles } from './console.ts';
import { fencing } from './fencing.ts';
import { addHooks } from './hooks.ts';
import { addMcp } from './mcp.ts';
import { noSuchRoute, options } from './methods.ts';
import { addOauth } from './oauth.ts';
import { addOneTimeDownloads, addOpenPages, addPublicFiles } from './open-routes.ts';
import { problems } from './problems.ts';
import { rateLimit } from './rate-limit.ts';
import { requestId } from './request-id.ts';
import { requestSpans } from './request-spans.ts';
import { earlyAnswers } from './send.ts';
import { closeConnections, shutdown } from './shutdown.ts';
import { soleHeaders } from './sole-headers.ts';
import { spentBudgets } from './spent-budgets.ts';
import { encoding, requestTarget } from './target.ts';
import { addUnsubscribePage } from './unsubscribe.ts';
import { addWebhooks } from './webhooks.ts';
import type { Middleware, WireState } from './wire.ts';

/** The Koa application. The steps are in the order in which the API promises its checks (spec R10). */
export function createApp(services: Services, api: Api, readiness: Readiness): Koa<WireState> {
  const app = new Koa<WireState>();
  app.use(requestTarget);
  app.use(requestId(services));
  if (services.tracing !== null) app.use(requestSpans(services.tracing));
  app.use(accessLog(services));
  app.use(commonHeaders(services));
  app.use(closeConnections(services));
  app.use(earlyAnswers);
  app.use(problems(services));
  app.use(soleHeaders);
  app.use(shutdown(services));
  app.use(outsideApi(services, readiness, api));
  app.use(options(api));
  app.use(spentBudgets(services));
  app.use(authentication(services, api));
  app.use(rateLimit(services));
  app.use(encoding);
  app.use(fencing(api));
  app.use(api.routes);
  app.use(noSuchRoute(['OPTIONS']));
  app.on('error', (error: unknown) => services.log.debug({ err: error }, 'a connection ended early'));
  return app;
}

/** Everything outside the admin API: open pages, files for clients that know their names, webhooks, hooks, and the console. */
function outsideApi(services: Services, readiness: Readiness, api: Api): Middleware {
  const router = new Router<WireState>({ sensitive: true, strict: true });
  addOpenPages(router, services, readiness);
  addPublicFiles(router, services);
  addOneTimeDownloads(router, services, api);
  addUnsubscribePage(router, services);
  addWebhooks(router, services, { [services.payments.name]: receiveFrom(services.payments, services) });
  addHooks(router, services);
  addMcp(router, services, api);
  addOauth(router, services);
  const dispatch = router.routes();
  const files = consoleFiles();
  const nothing = noSuchRoute();
  return (ctx, next) =>
    ctx.path.startsWith(`${PREFIX}/`) ? next() : dispatch(ctx, async () => files(ctx, async () => nothing(ctx, next)));
}
