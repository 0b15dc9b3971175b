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
