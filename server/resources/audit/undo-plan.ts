import { hash } from 'node:crypto';
import { z } from 'zod';
import { changeTypes, isChangeType } from '../../../contract/changes.ts';
import type { NeededPermission } from '../../../contract/endpoint.ts';
import { readsAboutPeople } from '../../../contract/personal-data.ts';
import { Json } from '../../../contract/run-events.ts';
import type { EntryUndo, UndoClosed, UndoField } from '../../../contract/undo-entries.ts';
import { type Actor, agentTokenOf, type Ctx, isBlind, may, NOTHING_PREPARED } from '../../verbs/context.ts';
import { notFound, Refusal } from '../../verbs/problem.ts';
import type { RecordVersions } from '../../verbs/record-versions.ts';
import { type Entry, endpointOf, followsVoucher, isMarked, isValues, readerOf, rowsOf, type Setter, setterOf } from './editable.ts';
import * as store from './store.ts';

export const recordVersions = {
  // An entry never changes; that it was taken back is all that others can do with it.
  audit_entry: async (db, { id }, actor) => {
    const entry = await store.selectEntry(db, Number(id));
    if (!entry || !sees(actor, entry)) return null;
    return (await store.selectUndoneBy(db, entry.id)).length + 1;
  },
} satisfies RecordVersions;

/** What the log knows is for those who may read it; whoever made an edit knows it, too. */
function sees(actor: Actor, { actor_id: by }: Entry): boolean {
  return may(actor, 'admin_api.logs.read') || (actor.type === 'admin' && !actor.agent && actor.adminId === by);
}

function readPermissionOf(type: string): NeededPermission | null {
  return isChangeType(type) ? changeTypes[type] : null;
}

/** A plan, and how its fields are set; the record as it is. */
export type Looked = { entry: Entry; plan: EntryUndo; setters: ReadonlyMap<string, Setter>; record: Record<string, unknown> };

const Changes = z.record(z.string(), z.tuple([Json, Json]));
type Changes = z.infer<typeof Changes>;
type Shut = { closed: UndoClosed; reason: string };

/** What taking back the entry would do now (spec UN11). */
export async function lookAt(ctx: Ctx, id: number): Promise<Looked> {
  const entry = await store.selectEntry(ctx.db, id);
  if (!entry) throw notFound('entry of the audit log', id);
  refuseUnseen(ctx.actor, entry);
  const changes = Changes.parse(JSON.parse(entry.changes));
  const early = closedAtOnce(entry, changes);
  const record = early ? null : await readRecord(ctx, entry, changes);
  const shut = early ?? (record === null ? GONE : record['anonymised_at'] ? FORGOTTEN : null);
  const set = new Map<string, Setter>();
  const fields = shut ? [] : Object.keys(changes).map((field) => fieldOf({ entry, changes, record: record ?? {}, set }, field));
  const closed = shut ?? (fields.some(({ state }) => state !== 'closed') ? null : nothingOf(entry, fields));
  const needed = [...set.values()].flatMap(({ endpoint: { permission } }) => permission ?? []);
  const shown = {
    entry_id: id,
    at: entry.at,
    action: entry.action,
    resource: { type: entry.resource_type, id: entry.resource_id },
    run: await runOf(ctx, entry),
    closed: closed?.closed ?? null,
    reason: closed?.reason ?? null,
    fields,
    lacking: [...new Set(needed)].filter((permission) => !may(ctx.actor, permission)),
    undo_of_entry_id: entry.undo_of_entry_id,
    taken_back_by: await store.selectUndoneBy(ctx.db, id),
  };
  const digest = hash('sha256', JSON.stringify([shown.closed, fields, shown.taken_back_by]), 'base64url');
  return { entry, plan: { ...shown, digest }, setters: set, record: record ?? {} };
}

function refuseUnseen(actor: Actor, { resource_type: type }: Entry): void {
  const wanted = readPermissionOf(type);
  if (wanted !== null && !may(actor, wanted)) throw new Refusal('forbidden', `To see what this edit changed you need ${wanted}.`);
  // What is about nobody in particular may be anything, as a setting or a token.
  if (isBlind(actor) && (wanted === null || readsAboutPeople(wanted)))
    throw new Refusal('forbidden', 'What this edit changed may be about people, which is hidden from this agent.');
}

async function runOf(ctx: Ctx, { run_id: id }: Entry): Promise<EntryUndo['run']> {
  if (id === null) return null;
  return { id, task_id: may(ctx.actor, 'admin_api.ai_tasks.read') ? await store.selectTaskOf(ctx.db, id) : null };
}

/** Whether an entry is an edit that the caller may take back, as far as the entry itself tells. */
export function mayUndo(actor: Actor, entry: Entry): boolean {
  const wanted = readPermissionOf(entry.resource_type);
  if (agentTokenOf(actor) !== null || (wanted !== null && !may(actor, wanted))) return false;
  const changes = Changes.parse(JSON.parse(entry.changes));
  if (closedAtOnce(entry, changes)) return false;
  return Object.keys(changes).some((field) => {
    const found = settable(entry, field, changes);
    if ('closed' in found) return false;
    const { permission } = found.endpoint;
    return permission === null || may(actor, permission);
  });
}

const GONE: Shut = { closed: 'gone', reason: 'The record is no longer there.' };
const FORGOTTEN: Shut = { closed: 'forgotten', reason: 'The person was forgotten, and with them how this was.' };

/** Why an entry cannot be taken back, whatever its record is like now. */
function closedAtOnce(entry: Entry, changes: Changes): Shut | null {
  const { run_id: run, actor_type: actor, action } = entry;
  if (run !== null) return { closed: 'by_run', reason: `Run ${run} did it. Take that run back, which puts back all that it changed.` };
  if (actor !== 'admin') return { closed: 'by_system', reason: 'No admin did it. Change the record by an edit of your own.' };
  if (Object.keys(changes).length === 0) return { closed: 'not_an_edit', reason: 'It changed no field.' };
  const endpoint = endpointOf(action);
  const undo = endpoint?.undo;
  if (typeof undo === 'object' && 'irreversible' in undo) return { closed: 'irreversible', reason: undo.irreversible };
  if (undo === 'counter_entry') return LEDGER;
  const pairs = Object.values(changes);
  const what = entry.resource_type.replaceAll('_', ' ');
  if (endpoint?.method === 'POST' && pairs.every(([before]) => before === null))
    return { closed: 'created', reason: `It made this ${what}. Delete the ${what} instead.` };
  if (endpoint?.method === 'DELETE' && pairs.every(([, after]) => after === null))
    return { closed: 'deleted', reason: `It deleted this ${what}. Make a new ${what} with the values from before.` };
  if (readerOf(entry) === null)
    return { closed: 'not_an_edit', reason: `No edit sets what it changed. Change the ${what} where that is done.` };
  return null;
}

const LEDGER: Shut = { closed: 'ledger', reason: 'It is booked, and bookings stay. Book the same amount the other way.' };

function nothingOf({ resource_type: type }: Entry, fields: readonly UndoField[]): Shut {
  const [first] = fields;
  if (first && first.closed !== null && first.closed !== 'follows') return { closed: first.closed, reason: first.reason ?? '' };
  return { closed: 'not_an_edit', reason: `No edit sets what it changed. Change the ${type.replaceAll('_', ' ')} where that is done.` };
}

type Of = { entry: Entry; changes: Changes; record: Record<string, unknown>; set: Map<string, Setter> };

function fieldOf({ entry, changes, record, set }: Of, field: string): UndoField {
  const [before = null, after = null] = changes[field] ?? [];
  const shut = (why: Shut): UndoField => ({ field, before, after, now: null, state: 'closed', ...why });
  const setter = settable(entry, field, changes);
  if ('closed' in setter) return shut(setter);
  if (followsVoucher(entry, field, changes, record)) return shut(FOLLOWS);
  const value = setter.now(record);
  if (value === undefined) return shut({ ...GONE, reason: 'What had this value is no longer there.' });
  set.set(field, setter);
  const now = Json.parse(value);
  const state = same(now, before) ? 'same' : same(now, after) ? 'ready' : 'conflict';
  return { field, before, after, now, state, closed: null, reason: null };
}

const FOLLOWS: Shut = { closed: 'follows', reason: 'It follows from other values, or no edit sets it.' };

/** What sets a field, or why it cannot be taken back, whatever its record is like now. */
function settable(entry: Entry, field: string, changes: Changes): Setter | Shut {
  const [before, after] = changes[field] ?? [];
  if (before === store.REMOVED || after === store.REMOVED) return FORGOTTEN;
  if (isMarked(entry.resource_type, field)) return { closed: 'not_kept', reason: 'The audit log keeps only a mark of this text.' };
  if (ledgers[`${entry.resource_type} ${field}`]) return LEDGER;
  if (/^new item \d+$/.test(field)) return { closed: 'created', reason: 'The edit added this line. Remove it by an edit of the order.' };
  if (/^item \d+$/.test(field)) return { closed: 'deleted', reason: 'The edit removed this line. Add it again by an edit of the order.' };
  return setterOf(entry, field) ?? FOLLOWS;
}

const ledgers: Readonly<Record<string, true>> = { 'variant stock': true, 'customer credits': true, 'voucher used_count': true };

export const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The record as the API shows it to the caller, with what else the entry names; null: it is gone. */
export async function readRecord(ctx: Ctx, entry: Entry, changes: object): Promise<Record<string, unknown> | null> {
  const reader = readerOf(entry);
  if (!reader) return null;
  const found = await read(ctx, reader.path);
  const record = reader.listed ? rowsOf(found).find(({ id }) => id === entry.resource_id) : found;
  if (!isValues(record)) return null;
  const others: Record<string, unknown> = {};
  for (const field of Object.keys(changes)) {
    const reads = setterOf(entry, field)?.reads;
    if (reads) others[field] = reads.pick(await read(ctx, reads.path));
  }
  return { ...record, ...others };
}

async function read(ctx: Ctx, path: string): Promise<unknown> {
  const { status, body } = await ctx.perform({ method: 'GET', path, body: null, prepared: NOTHING_PREPARED }, ctx);
  if (status === 404) return null;
  if (status >= 400 || body === null) throw new Refusal('forbidden', `What this edit changed cannot be read: ${body}`);
  return JSON.parse(body);
}
