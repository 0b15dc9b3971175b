import type { Ctx } from '../../verbs/context.ts';
import { Refusal } from '../../verbs/problem.ts';
import { type Masks, maskOf, type NamedValue } from './masks.ts';
import type { ValueFor } from './placed-text.ts';
import { open } from './sealing.ts';
import { type StoredSecret, selectUsable, updateLastUse } from './store.ts';

/** The secrets that have places in one request of a run, opened. It is kept in memory for that request alone. */
export type Filling = Masks & {
  /** The value of a secret that has a place in the request. */
  valueFor: ValueFor;
  /** Why these secrets may not be sent to this address; null: they may. */
  hostProblem(names: Iterable<string>, url: string): string | null;
  /** What was made of secrets, such as a signature, is masked like them from now on, under their names. */
  derive(values: readonly NamedValue[]): void;
};

const USE_STORED_EVERY_MS = 60_000;

/**
 * Opens these secrets for a request of a run. `declared`: the secrets of its version, which somebody approved. The task's own secret comes
 * before the shop's.
 */
export async function openFilling(
  ctx: Ctx,
  { taskId, declared }: { taskId: number; declared: readonly string[] },
  names: readonly string[],
): Promise<Filling> {
  requireDeclared(declared, names);
  const distinct = [...new Set(names)];
  const found = await selectUsable(ctx.db, taskId, distinct);
  const used = new Map(distinct.map((name) => [name, opened(ctx, chosen(found, name, taskId))]));
  const since = new Date(Date.parse(ctx.now) - USE_STORED_EVERY_MS).toISOString();
  await updateLastUse(
    ctx.db,
    [...used.values()].map(({ secret }) => secret.id),
    ctx.now,
    since,
  );
  const of = (name: string): Opened => {
    const one = used.get(name);
    if (one) return one;
    throw new Error(`the secret "${name}" was not opened`);
  };
  let known: readonly NamedValue[] = [...used].map(([name, { value }]) => ({ name, value }));
  let masks = maskOf(known);
  return {
    valueFor: (name) => of(name).value,
    hostProblem(which, url) {
      for (const name of which) {
        const problem = hostProblem(of(name).secret, new URL(url));
        if (problem !== null) return problem;
      }
      return null;
    },
    derive(values) {
      known = [...known, ...values];
      masks = maskOf(known);
    },
    mask: (text) => masks.mask(text),
    maskBytes: (bytes) => masks.maskBytes(bytes),
    foundIn: (text) => masks.foundIn(text),
  };
}

/** Refuses secrets that the version does not declare. */
export function requireDeclared(declared: readonly string[], names: readonly string[]): void {
  const missing = names.find((name) => !declared.includes(name));
  if (missing === undefined) return;
  const which = declared.length === 0 ? 'it declares none' : `it declares ${declared.join(', ')}`;
  throw new Refusal('secret_not_declared', `The version does not declare the secret "${missing}"; ${which}.`);
}

type Opened = { secret: StoredSecret; value: string };

function chosen(found: readonly StoredSecret[], name: string, taskId: number): StoredSecret {
  const own = found.find((one) => one.name === name && one.task_id === taskId) ?? found.find((one) => one.name === name);
  if (own) return own;
  throw new Refusal('secret_not_found', `There is no secret "${name}" of task ${taskId} or of the shop.`);
}

function opened({ services }: Ctx, secret: StoredSecret): Opened {
  const value = open(services.keyring.all(), secret, secret);
  if (value !== null) return { secret, value };
  throw new Refusal(
    'secret_unreadable',
    `The secret "${secret.name}" was encrypted with another key than this server has (SECRETS_KEY, or secrets.key in DATA_DIR); give the server that key, or set the secret anew.`,
  );
}

function hostProblem({ name, hosts }: StoredSecret, url: URL): string | null {
  const isHttps = url.protocol === 'https:';
  // A host without a port stands for https alone, whose port the URL parser leaves out.
  const host = isHttps || url.port !== '' ? url.host : `${url.host}:80`;
  return hosts.includes(host) ? null : `the secret "${name}" may be sent to ${hosts.join(', ')}, not to ${host}`;
}
