import { type HookAnswer, MAX_WAIT_SECONDS, REPEAT_HOURS } from '../../../contract/hooks.ts';
import { Json, JsonObject } from '../../../contract/run-events.ts';
import { HOOK_EVENT } from '../../../contract/wait-rules.ts';
import { savepoint } from '../../db/queries/savepoint.ts';
import { permissionsNow } from '../../resources/admins/domain.ts';
import { writeLog } from '../../resources/audit/domain.ts';
import { hashToken, sameHash } from '../../resources/tokens/secret.ts';
import type { Services } from '../../services.ts';
import type { Ctx } from '../../verbs/context.ts';
import { Refusal } from '../../verbs/problem.ts';
import { dueOfStart, gather } from '../gathered-starts/gather.ts';
import { optionsOf } from '../gathered-starts/rules.ts';
import { contentOfHook, missingReadsOf } from '../grants/read-permissions.ts';
import { withGiven } from '../parameters/rules.ts';
import { keyOf } from '../runs/life/start.ts';
import { type NotOpened, openUnattended, tellNotOpened } from '../runs/life/unattended.ts';
import { waitForEnd } from '../runs/log/ended.ts';
import { permissionsOfRun } from '../runs/rows/output-permissions.ts';
import { endWaits } from '../trigger-queue/waits.ts';
import { savedPermissions, verificationOf } from './domain.ts';
import { faultOfSignature, keyOfCall } from './signatures.ts';
import { requireSigning } from './signing-secrets.ts';
import * as store from './store.ts';

/** What happens when somebody calls the address of a hook. There is no token: the address is the secret, and often a signature too. */

export type CalledHook = store.HookRow;
export type HookCall = {
  header(name: string): string | undefined;
  body: Buffer;
  requestId: string;
  ip: string;
};

/** No call can have this hash, so a hook that is not there takes as long to refuse as a wrong secret. */
const NO_HASH = hashToken('');

/** Finds the hook that an address leads to; whatever is wrong with an address, the refusal is the same. */
export async function findCalled({ store: data }: Pick<Services, 'store'>, id: number, secret: string): Promise<CalledHook> {
  const row = await store.selectOpen(data.reader, { id });
  const isSame = sameHash(hashToken(secret), row?.secret_hash ?? NO_HASH);
  if (!row || !isSame) throw new Refusal('not_found', 'No hook has this address.');
  return row;
}

/** Refuses a call without the header that must carry its signature, before its body is read. */
export function requireSignature(hook: CalledHook, header: HookCall['header']): void {
  const signature = verificationOf(hook);
  if (signature && !header(signature.header)) {
    throw new Refusal('hook_signature_invalid', `The header ${signature.header} with the signature of the body is missing.`);
  }
}

/** Refuses a call whose signature is not that of its body. */
export function checkSignature(
  { keyring }: Pick<Services, 'keyring'>,
  hook: CalledHook,
  { header, body }: Pick<HookCall, 'header' | 'body'>,
): void {
  const signature = verificationOf(hook);
  if (!signature) return;
  const given = header(signature.header) ?? '';
  const fault = faultOfSignature({ signature, secret: requireSigning(keyring, hook), given, body, nowMs: Date.now() });
  if (fault !== null) throw new Refusal('hook_signature_invalid', `The signature in ${signature.header} is not valid: ${fault}.`);
}

/** Writes a log line for a call whose signature is not valid, or cannot be checked. */
export async function noteRejected(
  { store: data }: Pick<Services, 'store'>,
  { id, task_id, name }: CalledHook,
  { requestId, ip }: Pick<HookCall, 'requestId' | 'ip'>,
  reason: Refusal,
): Promise<void> {
  const now = new Date().toISOString();
  const detail = { code: reason.code, task_id, hook_id: id, request_id: requestId, ip };
  const summary = `Hook ${id} "${name}": ${reason.message}`;
  await data.write((db) => writeLog({ db, now }, { source: 'webhook', action: 'hook.rejected', status: 'rejected', summary, detail }));
}

/** What a call has led to; `dueMs` null: others wait before its start for their turn. */
export type Called = { runId: number } | { startId: number; dueMs: number | null };

/** What the same call has led to before. */
async function outcomeOf(ctx: Ctx, key: string): Promise<Called> {
  const call = await store.selectCall(ctx.db, key);
  if (call?.run_id != null) return { runId: call.run_id };
  const dueMs = call?.start_id == null ? undefined : await dueOfStart(ctx.db, call.start_id);
  if (call?.start_id == null || dueMs === undefined) throw new Error(`the call ${key} was noted without its run`);
  return { startId: call.start_id, dueMs };
}

/** Lets a call join a start. Once that has opened or is given up, what is noted of the call changes with it. */
async function gatherCall(ctx: Ctx, hook: CalledHook, content: JsonObject, key: string | null): Promise<Called | NotOpened> {
  const atMs = Date.parse(ctx.now);
  const place = { kind: 'hook' as const, starter_id: hook.id, task_id: hook.task_id, options: optionsOf(hook) };
  const joined = async (startId: number) => {
    if (key !== null) await store.noteOutcome(ctx.db, key, { start_id: startId });
  };
  const outcome = await gather(ctx, place, {
    ...{ content, atMs, position: atMs, lineageId: null, joined },
    keyOf: (name) => keyWithin(content, name),
  });
  return 'waits' in outcome ? { startId: outcome.waits.id, dueMs: outcome.waits.due_ms } : outcome;
}

/** The value of a field of what was sent, or of one within it. */
function keyWithin(content: JsonObject, path: string): string {
  const names = path.split('.');
  const last = names.pop() ?? '';
  let within: Json = content;
  for (const name of names) within = isObject(within) && Object.hasOwn(within, name) ? (within[name] ?? null) : null;
  return keyOf(isObject(within) ? within : {}, last);
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Gives what was sent to the runs that wait for it; returns the first of those that are open. Such a call opens no run. */
async function wakeWaiting(ctx: Ctx, hook: CalledHook, content: JsonObject): Promise<number | undefined> {
  const body = JsonObject.safeParse(content['body']).data ?? {};
  const value = { id: hook.id, type: `${HOOK_EVENT}${hook.name}`, at: ctx.now, data: content };
  return (await endWaits(ctx, { name: `${HOOK_EVENT}${hook.id}`, matched: body, value }))[0];
}

/**
 * Opens the run of a call in one transaction, wakes the runs that wait for one, or lets the call join a start; a call that is made again gets
 * what the first one got. `content`: what was sent, for the hook's parameter.
 */
export async function openCalled(services: Services, hook: CalledHook, call: HookCall, content: JsonObject): Promise<Called> {
  const key = keyOfCall(hook, call);
  const origin = { requestId: call.requestId, ip: call.ip, path: `/hooks/${hook.id}` };
  const outcome = await services.transact(
    'ai_tasks.start_run',
    async (ctx) => {
      const since = new Date(Date.parse(ctx.now) - REPEAT_HOURS * 3_600_000).toISOString();
      if (key !== null && !(await store.noteCall(ctx.db, { key, hookId: hook.id, at: ctx.now, since }))) return outcomeOf(ctx, key);
      const runId = await wakeWaiting(ctx, hook, content);
      if (runId !== undefined) {
        if (key !== null) await store.noteOutcome(ctx.db, key, { run_id: runId });
        return { runId };
      }
      if (hook.start_options !== '{}') return gatherCall(ctx, hook, content, key);
      const opener = { kind: 'hook', ...hook } as const;
      const parameters = withGiven(JsonObject.parse(JSON.parse(hook.parameters)), hook.parameter, content);
      const opened = await savepoint(ctx.db, () => openUnattended(ctx, opener, parameters));
      if ('runId' in opened) {
        if (key !== null) await store.noteOutcome(ctx.db, key, { run_id: opened.runId });
        if (hook.last_error !== null) await store.noteError(ctx.db, hook.id, null);
        return opened;
      }
      if (key !== null) await store.forgetCall(ctx.db, key);
      // Only the caller is told of a limit of the task, and can call again. A fault is told to admins too, who have to mend it.
      if (opened.isFault) {
        await tellNotOpened(ctx, opener, opened, {});
        await store.noteError(ctx.db, hook.id, opened.reason);
      }
      return opened;
    },
    origin,
  );
  if (!('reason' in outcome)) return outcome;
  if (!outcome.isFault) throw new Refusal(outcome.code === 'over_rate' ? 'rate_limited' : 'concurrency_limit', outcome.reason);
  throw new Refusal('run_not_opened', 'The task cannot be started now; the admins of the shop were told why.');
}

/**
 * Waits for the end of a run. Returns nothing if it has not ended in time, or if the result may contain more than the admin may read
 * for whom the hook acts.
 */
export async function awaitResult(
  services: Pick<Services, 'store' | 'broadcast' | 'runFollowers'>,
  hook: CalledHook,
  runId: number,
  { seconds, until }: { seconds: number; until: AbortSignal },
): Promise<HookAnswer | null> {
  const { reader } = services.store;
  // Nobody needs to wait for what is withheld.
  if (!(await maySeeResult(services, hook, runId))) return null;
  await waitForEnd(services, runId, { seconds: Math.min(seconds, MAX_WAIT_SECONDS), until });
  const run = await store.selectOutcome(reader, { runId });
  // Asked again, because a run learns until its end.
  if (!run || run.status === 'running' || !(await maySeeResult(services, hook, runId))) return null;
  return { run_id: runId, status: run.status, result: run.result === null ? null : Json.parse(JSON.parse(run.result)) };
}

/** The permissions of the admin for whom the hook acts, now and when the hook was saved: a token may have had fewer. */
async function maySeeResult({ store: { reader } }: Pick<Services, 'store'>, hook: CalledHook, runId: number): Promise<boolean> {
  // The caller sent the content, so it may see it.
  const wanted = (await permissionsOfRun(reader, runId)).filter((one) => one !== contentOfHook(hook.id));
  const now = await permissionsNow(reader, hook.acts_for);
  return [now, savedPermissions(hook)].every((permissions) => missingReadsOf({ type: 'admin', permissions }, wanted).length === 0);
}
