import { z } from 'zod';
import type { InputOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import type { EntryUndo, UndoField } from '../../../contract/undo-entries.ts';
import { type Ctx, NOTHING_PREPARED } from '../../verbs/context.ts';
import { Refusal, refusePermission, refuseValue } from '../../verbs/problem.ts';
import { joinBodies } from './editable.ts';
import * as store from './store.ts';
import { type Looked, lookAt, readRecord, same } from './undo-plan.ts';

type Body = InputOf<Endpoints['audit_log.undo']>['body'];

export async function getUndo(ctx: Ctx, id: number): Promise<EntryUndo> {
  return (await lookAt(ctx, id)).plan;
}

/**
 * Takes an edit back by edits of the caller, as if they had been typed in: the same checks, refusals, events and entries. All of it or nothing is
 * done.
 */
export async function undoEntry(ctx: Ctx, id: number, body: Body): Promise<EntryUndo> {
  const entry = await store.selectEntry(ctx.db, id);
  if (entry) await store.lockRecordOf(ctx, entry);
  const looked = await lookAt(ctx, id);
  const { plan } = looked;
  if (body.digest !== undefined && body.digest !== plan.digest)
    throw new Refusal('plan_outdated', 'The record has changed since it was shown; nothing was written. Look again.');
  if (plan.closed !== null) throw new Refusal('not_applicable', plan.reason ?? '', { extra: { closed: plan.closed } });
  const chosen = chosenOf(plan, body.fields);
  await carryOut(ctx, looked, chosen, body);
  await checkBack(ctx, looked, chosen);
  return getUndo(ctx, id);
}

function chosenOf({ fields }: EntryUndo, names: readonly string[] | undefined): UndoField[] {
  if (names === undefined) {
    const ready = fields.filter(({ state }) => state === 'ready');
    if (ready.length > 0) return ready;
    const why = fields.some(({ state }) => state === 'conflict')
      ? 'all that it changed was changed since, or is as before. Name in "fields" what is to be set all the same.'
      : 'everything is as before.';
    throw new Refusal('not_applicable', `Nothing is left to take back: ${why}`);
  }
  return names.map((name, index) => {
    const field = fields.find((one) => one.field === name);
    if (!field) throw refuseValue('invalid_value', `/fields/${index}`, 'the entry changed no such field');
    if (names.indexOf(name) !== index) throw refuseValue('duplicate', `/fields/${index}`, 'is listed twice');
    if (field.state === 'closed') throw new Refusal('not_applicable', `${name}: ${field.reason}`, { extra: { closed: field.closed } });
    if (field.state === 'same') throw new Refusal('not_applicable', `${name} is as before.`);
    return field;
  });
}

/** One edit for each endpoint that sets some of the fields. */
async function carryOut(ctx: Ctx, { entry, setters, record }: Looked, chosen: readonly UndoField[], { warn_acknowledged: warned }: Body) {
  const parts = new Map<string, { method: string; path: string; bodies: Record<string, unknown>[] }>();
  for (const { field, before } of chosen) {
    const setter = setters.get(field);
    if (!setter) throw new Error(`nothing sets ${field} of ${entry.resource_type}`);
    const { endpoint, path, whole } = setter;
    const base = Object.fromEntries(whole.map((name) => [name, record[name]]));
    const warning = warned !== undefined && endpoint.id === 'orders.edit' ? { warn_acknowledged: warned } : {};
    const part = parts.get(path) ?? { method: endpoint.method, path, bodies: [{ ...base, ...warning }] };
    part.bodies.push(setter.body(before));
    parts.set(path, part);
  }
  for (const { method, path, bodies } of parts.values()) {
    const write = { method, path, body: JSON.stringify(joinBodies(bodies)), prepared: NOTHING_PREPARED };
    const { status, body } = await ctx.perform(write, { actor: ctx.actor, random: ctx.random, undoOfEntry: entry.id });
    if (status >= 400) throw refusedBy(write, body);
  }
}

const Problem = z.looseObject({
  code: z.string(),
  detail: z.string(),
  errors: z.array(z.unknown()).optional(),
  permissions: z.array(z.string()).optional(),
});

function refusedBy({ method, path }: { method: string; path: string }, body: string | null): Refusal {
  const { code, detail, errors = [], permissions = [] } = Problem.parse(JSON.parse(body ?? ''));
  if (code === 'forbidden')
    return permissions.length > 0 ? refusePermission('forbidden', permissions, detail) : new Refusal('forbidden', detail);
  return new Refusal('not_applicable', `The edit that would take it back is refused: ${detail}`, {
    extra: { write: { method, path }, refusal: { code, detail, errors } },
  });
}

/** An edit may set a field to another value than was sent, such as one that follows from others. */
async function checkBack(ctx: Ctx, { entry, setters }: Looked, chosen: readonly UndoField[]): Promise<void> {
  const record = await readRecord(ctx, entry, Object.fromEntries(chosen.map(({ field }) => [field, null])));
  const other = chosen.find(({ field, before }) => record === null || !same(setters.get(field)?.now(record) ?? null, before));
  if (!other) return;
  const now = JSON.stringify(record && (setters.get(other.field)?.now(record) ?? null)).slice(0, 200);
  throw new Refusal(
    'not_applicable',
    `An edit cannot bring ${other.field} back to its value from before: it would be ${now}. Nothing was written.`,
  );
}
