import type { AssistantDraft } from '../../contract/assistant.ts';
import type { ThreadNow } from '../automation/assistant/work.ts';
import { ADDRESS_IN_SOURCE, inTexts, isOfNobody } from '../mcp/scrub.ts';
import { refuseValue } from '../verbs/problem.ts';

/** E-mail addresses in the drafts of a thread that hides people: the model reads stand-ins, and what it writes gets them back (spec AS3). */
export type Addresses = {
  hide(value: unknown): unknown;
  hideText(text: string): string;
  /** Puts the addresses back. Refuses a stand-in that is none of this thread's drafts; `pointer` is where it stands. */
  restore(value: unknown, pointer: string): unknown;
  restoreText(text: string, pointer: string): string;
};

/** The draft of no thread may use one, or what is put back would not be what stood there. */
const STAND_IN = /^hidden(?:-(\d{1,9}))?@example\.invalid$/;

/** Stand-ins are numbered by where an address was first seen in the thread, so that they mean the same as long as it goes on. */
export function addressesOf({ row, items, draft }: ThreadNow): Addresses {
  if (row.sees_personal_data === 1) return { hide: same, hideText: same, restore: same, restoreText: same };
  const known = new Map<string, number>();
  const learn = (text: string): string => {
    for (const [address] of text.matchAll(ADDRESS_IN_SOURCE))
      if (isHidden(address) && !known.has(address)) known.set(address, known.size + 1);
    return text;
  };
  for (const one of draftsOf(items, draft)) inTexts(one, learn);
  const byNumber = new Map([...known].map(([address, number]) => [number, address]));
  const hideText = (text: string): string =>
    text.replaceAll(ADDRESS_IN_SOURCE, (address) => (isHidden(address) ? `hidden-${known.get(address) ?? 0}@example.invalid` : address));
  const restoreText = (text: string, pointer: string): string =>
    text.replaceAll(ADDRESS_IN_SOURCE, (written) => {
      const found = STAND_IN.exec(written);
      return found ? (byNumber.get(Number(found[1] ?? 0)) ?? refuseStandIn(written, pointer)) : written;
    });
  return {
    hide: (value) => inTexts(value, hideText),
    hideText,
    restore: (value, pointer) => inTexts(value, (text) => restoreText(text, pointer)),
    restoreText,
  };
}

const same = <T>(value: T): T => value;

function isHidden(address: string): boolean {
  return !isOfNobody(address) || STAND_IN.test(address);
}

/** All drafts that the thread has had, in their order. */
function draftsOf(items: ThreadNow['items'], now: AssistantDraft | null): unknown[] {
  const had = items.flatMap((item) => (item.kind === 'draft' ? [item.before, item.after] : item.made.draft ? [item.made.draft] : []));
  return [...had, now];
}

function refuseStandIn(written: string, pointer: string): never {
  throw refuseValue(
    'invalid_value',
    pointer,
    `has ${written}, which stands for no e-mail address of the draft. Write the stand-ins as the draft has them (hidden-1@example.invalid …), leave what holds the address as it is (edit_draft changes a passage), or ask the person to write the address`,
  );
}
