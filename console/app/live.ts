import { type Query, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import type { ChangeType } from '../../contract/changes.ts';
import { session } from '../api/session.ts';
import { resourceOf } from '../parts/reload.ts';

/** While the stream of changes is open, what is shown is read again when it changes; this often it is read again all the same. */
const OPEN_POLL_MS = 60_000;
const POLL_MS = 10_000;
/** Changes that come together are read once; under many changes a page reads again this often at most. */
const TOGETHER_MS = 300;
const AT_MOST_EVERY_MS = 2_000;

/** The resources of the API in which a change of a record shows. The audit log and the shop's log tell of every change. */
const shownIn: Record<ChangeType, readonly string[]> = {
  access_grant: ['access_groups', 'customers', 'products'],
  access_group: ['access_groups', 'customers', 'products'],
  admin: ['admins', 'admin_invitations', 'dashboard'],
  admin_invitation: ['admin_invitations', 'dashboard'],
  assistant_thread: ['assistant'],
  call: [],
  customer: ['customers', 'dashboard'],
  customer_address: ['customers'],
  customer_file: ['customers'],
  customer_note: ['customers'],
  discount_group: ['discount_groups'],
  file: ['files'],
  hook: ['ai_tasks'],
  http_request: ['ai_tasks'],
  inquiry: ['inquiries', 'customers', 'dashboard'],
  llm_completion: ['ai_tasks'],
  mail: ['mails', 'orders', 'customers'],
  media: ['media'],
  notification: ['notifications'],
  notification_preference: ['preferences'],
  one_time_link: [],
  order: ['orders', 'customers', 'dashboard'],
  order_status: ['order_statuses'],
  page: ['pages'],
  passkey: ['me', 'dashboard'],
  payment: ['orders', 'dashboard'],
  pickup_location: ['pickup_locations'],
  product: ['products', 'dashboard'],
  policy_change: ['policy_changes'],
  role: ['roles', 'admins', 'admin_invitations', 'me'],
  run: ['ai_tasks', 'replays'],
  schedule: ['ai_tasks'],
  settings: ['settings', 'me', 'dashboard'],
  shipment: ['orders'],
  shipping_method: ['shipping_methods'],
  subscription: ['subscriptions', 'dashboard'],
  task: ['ai_tasks', 'dashboard'],
  task_error: ['ai_tasks'],
  task_secret: ['task_secrets'],
  task_state: ['ai_tasks'],
  task_variable: ['task_variables'],
  task_version: ['ai_tasks'],
  tax_rate: ['tax_rates'],
  theme: ['themes'],
  token: ['me', 'admins'],
  trigger: ['ai_tasks'],
  variant: ['products', 'dashboard'],
  version_comment: ['ai_tasks'],
  view: ['me'],
  voucher: ['vouchers'],
  webhook_delivery: ['webhooks'],
  webhook_endpoint: ['webhooks'],
};
const resourcesOf = new Map(Object.entries(shownIn));
const inEvery = ['audit_log', 'logs'];

/** When the stream was opened; null while it is not open. */
let openedAt: number | null = null;

/**
 * How often what is shown is read again. Right after the stream was opened that is as often as without it, because a change may have come
 * between the reading and the opening.
 */
export function pollMs(): number {
  return openedAt !== null && performance.now() - openedAt > POLL_MS ? OPEN_POLL_MS : POLL_MS;
}

/** Follows the changes of the shop while the tab is visible: each tab of a browser takes one of its few connections to the server. */
export function useChanges(): void {
  const queries = useQueryClient();
  const token = useSyncExternalStore(session.subscribe, session.token);
  useEffect(() => {
    if (token === null) return;
    const reader = createReader(queries);
    let lastId: string | undefined;
    let stream: AbortController | undefined;
    const start = (): void => {
      stream = new AbortController();
      void read(stream.signal);
    };
    const read = async (signal: AbortSignal): Promise<void> => {
      // Loaded after the page. Where it is gone because the server was replaced, the page reads on as without the stream.
      const events = await import('../api/events.ts').catch(() => null);
      if (events === null || signal.aborted) return;
      await events.follow('/changes', {
        signal,
        ...(lastId === undefined ? {} : { after: lastId }),
        onMessage({ id, event, data }) {
          if (id !== '') lastId = id;
          if (event === 'reset') reader.readAll();
          else reader.read(typeOf(data));
        },
        onState(state) {
          openedAt = state === 'open' ? performance.now() : null;
        },
      });
    };
    const stop = (): void => {
      stream?.abort();
      openedAt = null;
    };
    const turn = (): void => {
      stop();
      if (document.visibilityState === 'visible') start();
    };
    turn();
    document.addEventListener('visibilitychange', turn);
    return () => {
      document.removeEventListener('visibilitychange', turn);
      stop();
      reader.close();
    };
  }, [queries, token]);
}

function typeOf(data: string): string {
  const change: unknown = JSON.parse(data);
  return typeof change === 'object' && change !== null && 'type' in change ? String(change.type) : '';
}

/** Reads again what shows the changes that it is told of, several at a time. */
function createReader(queries: QueryClient) {
  let resources = new Set<string>();
  let isAll = false;
  let readAt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = (): void => {
    const wanted = resources;
    const all = isAll;
    timer = undefined;
    resources = new Set();
    isAll = false;
    readAt = performance.now();
    void queries.invalidateQueries({
      predicate: (query) => isPolled(query) && (all || wanted.has(resourceOf(query))),
    });
  };
  const plan = (): void => {
    timer ??= setTimeout(flush, Math.max(TOGETHER_MS, readAt + AT_MOST_EVERY_MS - performance.now()));
  };
  return {
    read(type: string) {
      for (const name of [...(resourcesOf.get(type) ?? []), ...inEvery]) resources.add(name);
      plan();
    },
    readAll() {
      isAll = true;
      plan();
    },
    close() {
      clearTimeout(timer);
    },
  };
}

/** What is read once and then edited or kept is not read again under the hands of the admin. */
function isPolled(query: Query): boolean {
  return query.observers.every(({ options }) => options.refetchInterval !== false);
}
