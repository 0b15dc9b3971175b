import { AssistantDraft } from '../../contract/assistant.ts';
import type { ThreadNow } from '../automation/assistant/work.ts';
import { isCovered } from '../automation/task-mails/rules.ts';
import { ADDRESS_IN_SOURCE, inTexts, isOfNobody } from '../mcp/scrub.ts';
import { refuseValue } from '../verbs/problem.ts';

/**
 * E-mail addresses in the drafts of a thread that hides people: the model reads stand-ins, what it writes gets them back, and what it checks
 * and runs has stand-ins, too, since a script can spell an address so that nobody knows it for one (spec AS3).
 */
export type Addresses = {
  /** Whether it holds any that is hidden from the model. */
  isIn(value: unknown): boolean;
  /** The draft as the model has it checked and run: its stand-ins may get mails where their addresses may. */
  hidden(draft: AssistantDraft): AssistantDraft;
  /** Takes in what a new draft has. */
  learn(draft: AssistantDraft): void;
  hide(value: unknown): unknown;
  hideText(text: string): string;
  /** Puts the addresses back. Refuses a stand-in that is none of this thread's drafts; `pointer` is where it stands. */
  restore(value: unknown, pointer: string): unknown;
  restoreText(text: string, pointer: string): string;
  /** Where the stand-ins are in a text that the model reads: from, to. */
  placesIn(text: string): [number, number][];
};

/** The draft of no thread may use one, or what is put back would not be what stood there. */
const STAND_IN = /^hidden(?:-(\d{1,9}))?@example\.invalid$/;
/** One that has grown together with its neighbours would not get its address back. */
const HAS_STAND_IN = /hidden(?:-\d{1,9})?@example\.invalid/;

/** Stand-ins are numbered by where an address was first seen in the thread, so that they mean the same as long as it goes on. */
export function addressesOf({ row, items, draft }: ThreadNow): Addresses {
  if (row.sees_personal_data === 1) return hidesNone;
  const known = new Map<string, number>();
  const byNumber = new Map<number, string>();
  const learnText = (text: string): string => {
    for (const [address] of text.matchAll(ADDRESS_IN_SOURCE))
      if (isHidden(address) && !known.has(address)) {
        known.set(address, known.size + 1);
        byNumber.set(known.size, address);
      }
    return text;
  };
  const learn = (one: unknown): void => void inTexts(one, learnText);
  for (const one of draftsOf(items, draft)) learn(one);
  const hideText = (text: string): string =>
    text.replaceAll(ADDRESS_IN_SOURCE, (address) => (isHidden(address) ? `hidden-${known.get(address) ?? 0}@example.invalid` : address));
  const restoreText = (text: string, pointer: string): string =>
    text.replaceAll(ADDRESS_IN_SOURCE, (written) => {
      const found = STAND_IN.exec(written);
      if (!found) return HAS_STAND_IN.test(written) ? refuseStandIn(written, pointer) : written;
      return byNumber.get(Number(found[1] ?? 0)) ?? refuseStandIn(written, pointer);
    });
  const hidden = (one: AssistantDraft): AssistantDraft => {
    const shown = AssistantDraft.parse(inTexts(one, hideText));
    const text = JSON.stringify(shown);
    const covered = [...known.keys()].filter((address) => isCovered(one.mail_to, address, { isCustomer: false, isAdmin: false }));
    const mailed = covered.map(hideText).filter((standIn) => text.includes(standIn));
    return { ...shown, mail_to: [...new Set([...shown.mail_to, ...mailed])] };
  };
  return {
    isIn: (value) => JSON.stringify(inTexts(value, hideText)) !== JSON.stringify(value),
    hidden,
    learn,
    placesIn: (text) =>
      [...text.matchAll(ADDRESS_IN_SOURCE)].flatMap(({ 0: one, index }) => (STAND_IN.test(one) ? [[index, index + one.length]] : [])),
    hide: (value) => inTexts(value, hideText),
    hideText,
    restore: (value, pointer) => inTexts(value, (text) => restoreText(text, pointer)),
    restoreText,
  };
}

const same = <T>(value: T): T => value;
const hidesNone: Addresses = {
  isIn: () => false,
  hidden: same,
  learn: () => undefined,
  placesIn: () => [],
  hide: same,
  hideText: same,
  restore: same,
  restoreText: same,
};

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
