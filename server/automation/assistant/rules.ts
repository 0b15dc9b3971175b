import type { AssistantDraft, AssistantItem } from '../../../contract/assistant.ts';

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
