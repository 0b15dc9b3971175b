import { AssistantDraft } from '../../contract/assistant.ts';
import { holds } from '../../contract/permissions.ts';
import { isTooLong, permissionsOfTurn, TOO_LONG } from '../automation/assistant/rules.ts';
import { addItem, finish, type Held, keepLease, readThread, sizeNow, type ThreadNow, TurnLost } from '../automation/assistant/work.ts';
import type { Answer } from '../calls/call.ts';
import type { InsideRequest } from '../calls/inside-request.ts';
import { type Caller, callerOf } from '../mcp/caller.ts';
import type { Turn } from '../process/assistant-work.ts';
import { authenticateMaker } from '../resources/tokens/domain.ts';
import type { Services } from '../services.ts';
import type { Actor } from '../verbs/context.ts';
import { Refusal } from '../verbs/problem.ts';
import { addressesOf } from './addresses.ts';
import { askModel, type Said } from './asking.ts';
import { useTool } from './calling.ts';
import { evidenceOf } from './evidence.ts';
import { CannotGoOn } from './faults.ts';
import { type Desk, toolsFor } from './tools.ts';

/** A turn of the assistant: the model is asked, its tools are called, and so on until it has answered (spec AS2, AS4). */

export type Deps = { services: Services; carryOut(asked: InsideRequest): Promise<Answer> };
type Admin = Extract<Actor, { type: 'admin' }>;

export const CALLS_MAX = 25;
const EQUAL_FAILURES = 3;

/** Works on a thread until the turn has ended or was lost. It never rejects. */
export async function workOn(deps: Deps, turn: Turn): Promise<void> {
  const { services } = deps;
  const held: Held = { ...turn, services };
  const lost = new AbortController();
  const done = new AbortController();
  const until = AbortSignal.any([lost.signal, services.stopping]);
  const keeping = keepLease(held, done.signal, () => lost.abort());
  try {
    await converse(deps, held, until);
  } catch (error) {
    if (!(error instanceof TurnLost) && !lost.signal.aborted) await fail(held, error);
  } finally {
    done.abort();
    await keeping;
  }
}

async function fail(held: Held, error: unknown): Promise<void> {
  const { services, threadId } = held;
  const end = endFor(error, services.stopping.aborted);
  if (!(error instanceof CannotGoOn) && !(error instanceof Refusal) && !services.stopping.aborted)
    services.log.error({ err: error, thread_id: threadId }, 'a turn of the assistant failed');
  try {
    await finish(held, { state: 'failed', error: end.text, items: [{ kind: 'notice', ...end }] });
  } catch (err) {
    if (!(err instanceof TurnLost)) services.log.error({ err, thread_id: threadId }, 'the end of a turn could not be stored');
  }
}

function endFor(error: unknown, isStopping: boolean): { code: CannotGoOn['code']; text: string } {
  if (isStopping) return { code: 'failed', text: 'The server stopped while it worked. Retry goes on.' };
  if (error instanceof CannotGoOn) return { code: error.code, text: error.message };
  if (error instanceof Refusal) return { code: 'failed', text: error.message };
  return { code: 'failed', text: 'Something failed in the server; its log has the cause. Retry goes on.' };
}

type NoteLine = Parameters<Caller['note']>[0];

async function converse(deps: Deps, held: Held, until: AbortSignal): Promise<void> {
  const failures: string[] = [];
  let calls = 0;
  for (let isLast = false; ; ) {
    await requireRoom(held);
    const thread = await readThread(held);
    const agent = await identify(deps.services, thread);
    const tools = toolsFor(deskOf(held, thread));
    const identifyAgain = () => identify(deps.services, thread);
    const said = await askModel(held, { thread, tools, until, identify: identifyAgain });
    if (isLast || said.calls.length === 0) return end(held, agent, said);
    const full = callerOf({
      ...deps,
      identify: identifyAgain,
      agent,
      ...{ requestId: `thread-${held.threadId}`, ip: '', until },
    });
    // Nobody else sees what is said in a thread, so the log is not told what a tool was asked (spec AS1).
    const caller = { ...full, note: (line: NoteLine) => full.note({ ...line, detail: {} }) };
    for (const call of said.calls) {
      if (calls >= CALLS_MAX) break;
      until.throwIfAborted();
      await requireRoom(held);
      calls += 1;
      const failure = await useTool(held, { call, step: said.step, tools, caller });
      if (failure === null) failures.length = 0;
      else failures.push(failure);
      if (isStuck(failures)) break;
    }
    if (isStuck(failures)) {
      isLast = true;
      await addItem(held, {
        kind: 'notice',
        code: 'repeated',
        text: 'The same failure came three times in a row. The assistant says what is missing.',
      });
    } else if (calls >= CALLS_MAX) {
      isLast = true;
      await addItem(held, {
        kind: 'notice',
        code: 'calls_spent',
        text: `All ${CALLS_MAX} calls for this message are used. The assistant says what is missing.`,
      });
    }
  }
}

/** Ends the turn where the thread has grown too long. */
async function requireRoom(held: Held): Promise<void> {
  if (isTooLong(await sizeNow(held))) throw new CannotGoOn('too_long', TOO_LONG);
}

function isStuck(failures: readonly string[]): boolean {
  const last = failures.slice(-EQUAL_FAILURES);
  return last.length === EQUAL_FAILURES && new Set(last).size === 1;
}

/** Ends a turn in which the model has answered. */
async function end(held: Held, agent: Admin, { reason }: Said): Promise<void> {
  const evidence = await evidenceOf(held, agent);
  const notices = {
    length: { kind: 'notice' as const, code: 'cut_off' as const, text: 'The answer was cut off at its greatest length.' },
    refusal: { kind: 'notice' as const, code: 'refused' as const, text: 'The model refuses to answer this.' },
  };
  const notice = reason === 'length' || reason === 'refusal' ? [notices[reason]] : [];
  await finish(held, { state: 'idle', error: null, items: [...notice, ...(evidence ? [evidence] : [])] });
}

/** The draft, which the tools of one step change one after the other. */
function deskOf(held: Held, thread: ThreadNow): Desk {
  let { draft } = thread;
  const addresses = addressesOf(thread);
  return {
    taskId: thread.row.task_id,
    addresses,
    draft: () => draft,
    write: async (after: AssistantDraft): Promise<void> => {
      await addItem(held, { kind: 'draft', by: 'assistant', before: draft, after }, { draft: JSON.stringify(after) });
      draft = after;
      // In the order in which it is read from the store later.
      addresses.learn(AssistantDraft.parse(after));
    },
  };
}

/**
 * Who the assistant acts for, with what the token that sent the message allows now of what it allowed then, and without what no agent may
 * have (spec AS3). Throws where the access has ended.
 */
async function identify({ store }: Services, { row }: ThreadNow): Promise<Admin> {
  const found = row.token_id === null ? undefined : await authenticateMaker(store.reader, row.token_id, new Date().toISOString());
  if (found?.outcome !== 'ok' || found.actor.type !== 'admin' || found.actor.agent || found.actor.adminId !== row.admin_id)
    throw new CannotGoOn(
      'failed',
      'Your access has ended: the token that sent the message is not valid any more. Sign in again, then send a message.',
    );
  const { actor } = found;
  if (!holds(actor.permissions, 'admin_api.ai_tasks.write'))
    throw new CannotGoOn('failed', 'You may not write tasks any more: the permission admin_api.ai_tasks.write was taken away.');
  const permissions = permissionsOfTurn(actor, row);
  return { ...actor, name: `${actor.name}'s assistant`, permissions, agent: { seesPersonalData: row.sees_personal_data === 1 } };
}
