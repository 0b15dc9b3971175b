import { GESTURE_HEADER } from '../../../contract/decisions.ts';
import { type Endpoint, isWrite, readsRecord, returnsEtag } from '../../../contract/endpoint.ts';
import type { Db } from '../../db/open.ts';
import { rolledBack } from '../../db/queries/savepoint.ts';
import { capturing } from '../../db/row-capture.ts';
import { imagesOf } from '../../db/row-images.ts';
import { storeNotes } from '../../resources/audit/domain.ts';
import { decide } from '../../resources/decisions/domain.ts';
import { requireOnePerson } from '../../resources/decisions/policy.ts';
import { type Ctx, NOTHING_PREPARED, type Performed, type Write } from '../../verbs/context.ts';
import type { Decision } from '../../verbs/decision.ts';
import { Refusal } from '../../verbs/problem.ts';
import type { Input } from '../../verbs/route.ts';
import type { Answer, Call, Deciding, Executor, InTransaction } from '../call.ts';
import { problemOf, statusOf, toRefusal } from '../problem.ts';
import { checkContent } from './file-content.ts';
import { linkHeader } from './link-header.ts';
import { checkIfMatch, currentEtag, findRecord, matchesNone, wholeEtag } from './record-etags.ts';
import { namesSampleRecord } from './sample.ts';
import { writeAgain } from './stored-write.ts';
import { openWork, type Work } from './transaction.ts';

/**
 * Carries out a call in one transaction: checks the record (404), If-Match (412) and the values (422), calls the verb, then stores the
 * verb's audit entries and events.
 */
export async function carryOut(executor: Executor, call: InTransaction): Promise<Answer> {
  const { services, recordVersions } = executor;
  const { endpoint, params, db } = call;
  const etagBefore = call.outside && namesSampleRecord(params) ? null : await findRecord(recordVersions, db, call);
  const work = await openCallWork(executor, call, db);
  if (isWrite(endpoint)) {
    await checkIfMatch(call.header('if-match'), etagBefore, () => currentEtag(recordVersions, work.ctx, endpoint, params));
  }
  const etagShown = await shownEtag(executor, call, work.ctx, etagBefore);
  if (etagShown !== null && matchesNone(call.header('if-none-match'), etagShown)) {
    return { status: 304, headers: { ETag: etagShown }, body: null, replayed: false, at: work.ctx.now, after: [] };
  }
  const { result, images } = await withImages(call, work.ctx, () => call.verb(work.ctx, inputOf(call)));
  if (isWrite(endpoint)) {
    if (endpoint.audited !== false && work.notes.entries.length === 0) throw new Error(`${endpoint.id} wrote without an audit entry`);
    return finishWrite(executor, { ...call, images }, work, result);
  }
  if (services.checkResponses) endpoint.response?.parse(result);
  const headers: Record<string, string> = {};
  if (etagShown !== null) headers['ETag'] = etagShown;
  else if (endpoint.query && 'page' in endpoint.query.shape) {
    const link = linkHeader(`/admin/api${call.target.split('?')[0]}`, call.search, result);
    if (link !== null) headers['Link'] = link;
  }
  return answerOf(endpoint, result, headers, work);
}

/** The ETag, with the digest of derived fields, that a read of one record shows; null for any other call. */
async function shownEtag({ recordVersions }: Executor, { endpoint, params }: Call, ctx: Ctx, etag: string | null): Promise<string | null> {
  if (!readsRecord(endpoint) || endpoint.record === undefined || etag === null) return null;
  return wholeEtag(recordVersions, ctx, { record: endpoint.record, params, etag, answers: 'read' });
}

/** The validated values of a request; invalid ones are refused with 422. */
export function inputOf({ params, query, values, body }: Call): Input {
  return { params, query: query(), body: values(body.value) };
}

/** Opens the context that the verb of a call works with. */
export async function openCallWork(executor: Executor, call: Call, db: Db): Promise<Work> {
  const { actor, requestId, ip, prepared, staging } = call;
  const given = staging && { now: staging.now, random: staging.random };
  const work = await openWork(executor.services, db, { actor, requestId, ip, prepared, ...given });
  work.ctx.checkContent = (path) => checkContent(executor, db, actor, path);
  work.ctx.perform = (write, by) => perform(executor, work.ctx, write, by);
  work.ctx.decide = (decision) => decideIn(work.ctx, call, decision);
  work.ctx.rehearse = (write, by) => rehearse(executor, work.ctx, write, by);
  work.ctx.agree = (write, decision) => agree(executor, work.ctx, write, decision);
  return work;
}

async function decideIn(ctx: Ctx, { endpoint, rehearses, agrees, header }: Call, decision: Decision): Promise<void> {
  if (!endpoint.decides) throw new Error(`${endpoint.id} decides, and does not say so`);
  if (agrees) return agrees(decision);
  await requireOnePerson(ctx, decision);
  return rehearses ? rehearses(decision) : decide(ctx, decision, header(GESTURE_HEADER.toLowerCase()));
}

/** Carries out a write and undoes it, so that what would be refused after its decision is refused here, too. */
async function rehearse(executor: Executor, ctx: Ctx, write: Omit<Write, 'prepared'>, by: 'alone' | 'two'): Promise<Decision | null> {
  const { actor, requestId, ip } = ctx;
  const call = writeAgain(executor, write, { actor, requestId, ip, prepared: NOTHING_PREPARED });
  if (!call.endpoint.decides) return null;
  const found: Decision[] = [];
  const note = async (decision: Decision) => void found.push(decision);
  await rolledBack(
    ctx.db,
    async () => void (await carryOut(executor, { ...call, db: ctx.db, ...(by === 'two' ? { agrees: note } : { rehearses: note }) })),
    (error) => {
      throw error;
    },
  );
  if (found.length > 1) throw new Error(`${call.endpoint.id} decides more than once`);
  return found[0] ?? null;
}

async function agree(executor: Executor, ctx: Ctx, write: Omit<Write, 'prepared'>, agrees: Deciding) {
  const { actor, requestId, ip } = ctx;
  const call = writeAgain(executor, write, { actor, requestId, ip, prepared: NOTHING_PREPARED });
  const { status, body, after } = await carryOut(executor, { ...call, db: ctx.db, agrees });
  for (const work of after) ctx.after(work);
  return { status, body };
}

/** Carries out a planned write inside the transaction that applies the plan; a refusal becomes the write's answer. */
async function perform(
  executor: Executor,
  ctx: Ctx,
  write: Write,
  { actor, random, undoOfEntry }: Parameters<Ctx['perform']>[1],
): Promise<Performed> {
  const effects: Performed['effects'][number][] = [];
  const { requestId, ip } = ctx;
  const staging = { now: ctx.now, random, record: (entries: Performed['effects']) => void effects.push(...entries), undoOfEntry };
  try {
    const call = writeAgain(executor, write, { actor, requestId, ip, prepared: write.prepared, staging });
    const { status, body, after } = await carryOut(executor, { ...call, db: ctx.db });
    for (const work of after) ctx.after(work);
    return { status, body, effects };
  } catch (error) {
    const refusal = toRefusal(error);
    if (statusOf(refusal.code) >= 500 || !(error instanceof Refusal)) throw error;
    const problem = problemOf(refusal, `/admin/api${write.path}`, requestId);
    return { status: problem.status, body: JSON.stringify(problem), effects: [] };
  }
}

/** The rows that a write of a run changes are kept, where it can be taken back by them (spec UN2). */
async function withImages<T>(
  { endpoint, actor }: Call,
  ctx: Ctx,
  verb: () => Promise<T>,
): Promise<{ result: T; images: string | null | undefined }> {
  const isKept = isWrite(endpoint) && actor.type === 'task' && !actor.dryRun && typeof endpoint.undo === 'string';
  if (!isKept) return { result: await verb(), images: undefined };
  const { done, changes } = await capturing(ctx, verb);
  return { result: done, images: imagesOf(changes) };
}

type Imaged = Call & { images?: string | null | undefined };

/** Stores the audit entries and events that the verb recorded. */
export async function storeWork({ endpoint, target, staging, images }: Imaged, { ctx, notes }: Work): Promise<void> {
  staging?.record(notes.entries);
  const request = { endpointId: endpoint.id, method: endpoint.method, path: target, status: endpoint.status };
  const undoOfEntry = staging?.undoOfEntry;
  await storeNotes(ctx, notes, { ...request, ...(images !== undefined && { images }), ...(undoOfEntry !== undefined && { undoOfEntry }) });
}

/** Stores what the verb recorded, and makes the answer with the headers of a write. */
export async function finishWrite(executor: Executor, call: Imaged, work: Work, result: unknown): Promise<Answer> {
  const { endpoint } = call;
  if (executor.services.checkResponses) endpoint.response?.parse(result);
  await storeWork(call, work);
  return answerOf(endpoint, result, { ...work.headers, ...(await writeHeaders(executor, call, work.ctx, result)) }, work);
}

function answerOf(endpoint: Endpoint, result: unknown, headers: Record<string, string>, { ctx, after }: Work): Answer {
  const body = endpoint.status === 204 ? null : JSON.stringify(result);
  return { status: endpoint.status, headers, body, replayed: false, at: ctx.now, after };
}

/** Location and ETag of the record that the write created, or the ETag of the record that it changed. */
async function writeHeaders(executor: Executor, { endpoint, params }: Call, ctx: Ctx, result: unknown): Promise<Record<string, string>> {
  if (endpoint.location === undefined) {
    const etag = returnsEtag(endpoint) ? await currentEtag(executor.recordVersions, ctx, endpoint, params) : null;
    return etag === null ? {} : { ETag: etag };
  }
  const location = fillPath(endpoint.location, { ...params, ...(typeof result === 'object' ? result : {}) });
  const made = executor.find('GET', location);
  const etag = made && (await currentEtag(executor.recordVersions, ctx, made.target.endpoint, made.params));
  return { Location: `/admin/api${location}`, ...(etag !== null && { ETag: etag }) };
}

function fillPath(template: string, values: Record<string, unknown>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
}
