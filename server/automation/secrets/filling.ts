import type { Ctx } from '../../verbs/context.ts';
import { Refusal } from '../../verbs/problem.ts';
import { maskOf } from './masks.ts';
import { open } from './sealing.ts';
import { type StoredSecret, selectUsable, updateLastUse } from './store.ts';

/** The secrets that one request of a run names, opened. It is kept in memory for that request alone. */
export type Filling = {
  /** Whether the request names no secret. */
  isEmpty: boolean;
  /** Puts the values in place of their placeholders. `encode` writes a value as the text around it needs it, such as within JSON. */
  fill(text: string, encode?: (value: string) => string): string;
  /** Refuses to send the secrets to this address; a redirect has to ask again. */
  requireHost(url: URL): void;
  /** Puts `[secret:name]` in place of each value, in every usual form, in what came back or goes to a log. */
  mask(text: string): string;
};

/** What stands in a text of a script for a secret, with its name. */
export const PLACEHOLDER = /\{\{secret:([^{}]*)\}\}/g;
const USE_STORED_EVERY_MS = 60_000;

/**
 * Opens the secrets that these texts of a run's request name. `declared`: the secrets of its version, which somebody approved. The task's
 * own secret comes before the shop's.
 */
export async function openFilling(
  ctx: Ctx,
  { taskId, declared }: { taskId: number; declared: readonly string[] },
  texts: readonly string[],
): Promise<Filling> {
  const names = [...new Set(texts.flatMap((text) => [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name)))];
  for (const name of names) {
    if (!declared.includes(name)) {
      const which = declared.length === 0 ? 'it declares none' : `it declares ${declared.join(', ')}`;
      throw new Refusal('secret_not_declared', `The version does not declare the secret "${name.slice(0, 100)}"; ${which}.`);
    }
  }
  const found = await selectUsable(ctx.db, taskId, names);
  const used = names.map((name) => opened(ctx, chosen(found, name, taskId)));
  const since = new Date(Date.parse(ctx.now) - USE_STORED_EVERY_MS).toISOString();
  await updateLastUse(
    ctx.db,
    used.map(({ secret }) => secret.id),
    ctx.now,
    since,
  );
  const values = new Map(used.map(({ secret, value }) => [secret.name, value]));
  return {
    isEmpty: used.length === 0,
    fill: (text, encode = (value) => value) =>
      text.replaceAll(PLACEHOLDER, (whole, name: string) => {
        const value = values.get(name);
        return value === undefined ? whole : encode(value);
      }),
    requireHost(url) {
      for (const { secret } of used) requireHost(secret, url);
    },
    mask: maskOf(used.map(({ secret, value }) => ({ name: secret.name, value }))),
  };
}

function chosen(found: readonly StoredSecret[], name: string, taskId: number): StoredSecret {
  const own = found.find((one) => one.name === name && one.task_id === taskId) ?? found.find((one) => one.name === name);
  if (own) return own;
  throw new Refusal('secret_not_found', `There is no secret "${name}" of task ${taskId} or of the shop.`);
}

function opened({ services }: Ctx, secret: StoredSecret): { secret: StoredSecret; value: string } {
  const value = open(services.secretKeys.all(), secret, secret);
  if (value !== null) return { secret, value };
  throw new Refusal(
    'secret_unreadable',
    `The secret "${secret.name}" was encrypted with another key than this server has (SECRETS_KEY, or secrets.key in DATA_DIR); give the server that key, or set the secret anew.`,
  );
}

function requireHost({ name, hosts }: StoredSecret, url: URL): void {
  const isHttps = url.protocol === 'https:';
  // A host without a port stands for https alone, whose port the URL parser leaves out.
  const host = isHttps || url.port !== '' ? url.host : `${url.host}:80`;
  if (hosts.includes(host)) return;
  throw new Refusal('secret_host_not_allowed', `The secret "${name}" may be sent to ${hosts.join(', ')}, not to ${host}.`);
}
