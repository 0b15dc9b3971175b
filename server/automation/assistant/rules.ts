import { isGivenToAgents } from '../../../contract/agent-rules.ts';
import type { AssistantDraft, AssistantItem } from '../../../contract/assistant.ts';
import { adminPermissions, type Permission } from '../../../contract/permissions.ts';
import { type Actor, may } from '../../verbs/context.ts';
import { readPermissions } from '../grants/read-permissions.ts';

const TITLE_CHARACTERS = 80;

/** The title of a thread: the beginning of its first message. */
export function titleOf(text: string): string {
  const [line = ''] = text.split('\n');
  return line.length > TITLE_CHARACTERS ? `${line.slice(0, TITLE_CHARACTERS - 1)}…` : line;
}

type WithoutPlace<T> = T extends unknown ? Omit<T, 'id' | 'at'> : never;
/** An item that is not stored yet. */
export type NewItem = WithoutPlace<AssistantItem>;

export function isSameDraft(one: AssistantDraft | null, other: AssistantDraft | null): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** What happened in a thread is read whole for each question to the model, so it may not grow without end. */
const THREAD_MAX_BYTES = 16 * 1024 * 1024;
export const TOO_LONG = 'The conversation has more than 16 MiB, with its drafts and the answers of tools. Begin a new one.';

export function isTooLong({ size_bytes }: { size_bytes: number }): boolean {
  return size_bytes > THREAD_MAX_BYTES;
}

/** What may be spent before a limit is reached. */
export type TokensLeft = { thread: number; admin: number; shop: number };

/** The limit that a call of so many tokens would exceed, in words; null: none. */
export function limitExceeded(left: TokensLeft, wanted: number): string | null {
  if (wanted > left.thread)
    return `This thread has ${atLeastNone(left.thread)} tokens left, and the next answer may need ${wanted}. Begin a new thread.`;
  if (wanted > left.admin)
    return `You have ${atLeastNone(left.admin)} tokens left for today, and the next answer may need ${wanted}. Go on tomorrow.`;
  if (wanted > left.shop)
    return `The shop has ${atLeastNone(left.shop)} tokens left for today, and the next answer may need ${wanted}. Go on tomorrow.`;
  return null;
}

function atLeastNone(tokens: number): number {
  return Math.max(0, tokens);
}

/** All that an assistant may ever read by. */
const reads = adminPermissions.filter((one) => one.endsWith('.read') && isGivenToAgents(one));

type Holder = Extract<Actor, { permissions: unknown }>;

/** By which of these an assistant reads that has the rights of this actor, as a thread stores it. */
export function mayReadOf(actor: Holder): string {
  return JSON.stringify(reads.filter((one) => may(actor, one)));
}

type MayRead = { may_read: string | null };

function readsOf({ may_read }: MayRead): readonly string[] {
  return may_read === null ? reads : readPermissions(may_read);
}

/** The permissions by which a thread may have read what it tells, and which the actor lacks (spec AS1). */
export function missingOf(actor: Holder, thread: MayRead): Permission[] {
  const told = new Set(readsOf(thread));
  return reads.filter((one) => told.has(one) && !may(actor, one));
}

/** The permissions of a turn: what the token gained since the turn began stands in no list by which the thread is shown. */
export function permissionsOfTurn(actor: Holder, thread: MayRead): ReadonlySet<string> {
  const told = new Set(readsOf(thread));
  return new Set(
    [...actor.permissions].filter((one) => {
      const read = one.replace(/\.write$/, '.read');
      return isGivenToAgents(one) && (!read.endsWith('.read') || told.has(read));
    }),
  );
}
