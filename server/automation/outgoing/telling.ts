import { z } from 'zod';
import type { BodyOf } from '../../../contract/endpoint.ts';
import { httpEndpoints } from '../../../contract/http.ts';
import { shownRequest, shownText } from '../../../contract/http-shown.ts';
import { shownSign } from '../../../contract/http-signing.ts';
import type { Endpoints } from '../../../contract/index.ts';
import { storeOpenEffect } from '../../resources/audit/domain.ts';
import type { AuditEntry, Ctx, TaskActor } from '../../verbs/context.ts';
import * as store from './store.ts';

/**
 * What the effects of a run tell of a request that changes something: `started` from before it is sent, then the status of its answer.
 * `maybe`: nobody here knows whether it had its effect.
 */
type Status = number | 'started' | 'maybe';
export type Sending = { actor: TaskActor; scope: string; body: BodyOf<Endpoints['http.send']> };

const Changes = z.object({ request: z.tuple([z.null(), z.string()]), status: z.tuple([z.null(), z.union([z.number(), z.string()])]) });

/** Stored before the request is sent. One that is sent again (`mayBeTwice`) keeps the effect that its run has of it. */
export async function tellStarted(ctx: Ctx, { actor, scope, body }: Sending, mayBeTwice: boolean): Promise<void> {
  const earlier = await store.selectEffect(ctx.db, { scope });
  const entry = entryOf(actor.runId, shownRequest(body), { status: 'started', mayBeTwice });
  if (earlier?.run_id === actor.runId) return ctx.audit({ ...entry, effectId: earlier.id });
  const { method, path, status } = httpEndpoints['http.send'];
  await store.setEffect(ctx.db, scope, await storeOpenEffect(ctx.db, actor, entry, { method, path, status, at: ctx.now }));
}

export async function tellAnswered(ctx: Ctx, sending: Sending, outcome: { status: number; mayBeTwice: boolean }): Promise<void> {
  const { actor, scope, body } = sending;
  ctx.audit({ ...entryOf(actor.runId, shownRequest(body), outcome), ...(await effectOf(ctx, actor, scope)) });
}

/** Tells that the request may have had its effect, unless the effects of this run or of the one that it resumes tell so already. */
export async function tellMaybe(ctx: Ctx, { actor, scope, body }: Sending, mayBeTwice: boolean): Promise<void> {
  const known = await store.selectEffect(ctx.db, { scope });
  if (known && statusIn(known.changes) === 'maybe') return;
  const entry = entryOf(actor.runId, shownRequest(body), { status: 'maybe', mayBeTwice });
  ctx.audit({ ...entry, ...(known && { effectId: known.id }) });
}

/** The request was never sent. */
export async function tellNotSent(ctx: Ctx, { actor, scope }: Sending): Promise<void> {
  const { effectId } = await effectOf(ctx, actor, scope);
  if (effectId !== undefined) await store.deleteEffect(ctx.db, effectId);
}

/** The attempt of a run has ended: requests of it that were not answered may have had their effect. */
export async function tellUnanswered(ctx: Ctx, run: { id: number; lineage_id: string }): Promise<void> {
  for (const { id, changes } of await store.selectOpenEffects(ctx.db, { lineageId: run.lineage_id, runId: run.id })) {
    const { request, status } = Changes.parse(JSON.parse(changes));
    if (status[1] === 'started') ctx.audit({ ...entryOf(run.id, request[1], { status: 'maybe', mayBeTwice: false }), effectId: id });
  }
}

/** A longer body is cut where a plan shows it. */
const SHOWN_MAX = 20_000;

/** What the plan of a dry run shows of a request that it does not send. */
export function tellPlanned(ctx: Ctx, { runId }: TaskActor, body: Sending['body']): void {
  const request = shownRequest(body);
  ctx.audit({
    resource: { type: 'http_request', id: null },
    changes: { request: [null, request] },
    shown: { ...(body.sign && { signed: [null, shownSign(body.sign)] }), ...shownContent(body) },
    summary: `Run ${runId}: ${request}, not sent, as this is a dry run`,
  });
}

/** Bytes that are no text stay base64. */
function shownContent({ body, encoding }: Sending['body']): Record<string, [null, string]> {
  if (body === undefined) return {};
  const cut = (text: string): [null, string] => [null, text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX).toWellFormed()}…` : text];
  if (encoding === 'text') return { body: cut(shownText(body)) };
  const text = shownText(body, (piece) => Buffer.from(piece, 'base64').toString());
  return text.includes('\ufffd') ? { body_base64: cut(shownText(body)) } : { body: cut(text) };
}

async function effectOf(ctx: Ctx, { runId }: TaskActor, scope: string): Promise<{ effectId?: number }> {
  const effect = await store.selectEffect(ctx.db, { scope });
  return effect?.run_id === runId ? { effectId: effect.id } : {};
}

function statusIn(changes: string): number | string {
  return Changes.parse(JSON.parse(changes)).status[1];
}

function entryOf(runId: number, request: string, { status, mayBeTwice }: { status: Status; mayBeTwice: boolean }): AuditEntry {
  const said = status === 'started' ? 'sent again' : status === 'maybe' ? 'it is not known what it did' : `answered ${status}`;
  return {
    resource: { type: 'http_request', id: null },
    changes: { request: [null, request], status: [null, status] },
    summary: `Run ${runId}: ${request}, ${said}`,
    maybeTwice: mayBeTwice,
  };
}
