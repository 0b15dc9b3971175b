import { sha256 } from './call-key.ts';
import type { NamedCall } from './recording.ts';

/** The part of the order that a request tells the server, as the header has it, and where it ends in the order of this attempt's epoch. */
export type ToldAnswers = { epoch: number; upto: number; text: string };

/** A header holds this many at most. */
const AT_ONCE = 300;
/** So many are told before a further call begins. */
const MANY = 100;

/**
 * The order in which the script of this attempt got its answers, as far as the server does not know it. Each call tells it, so that the server
 * stores it in the transaction of the call's effect: whatever took effect can therefore be made again in the same way. An answer that came
 * while the script waited for nothing else is left out.
 */
export type AnswersTold = {
  /**
   * `name`: of the call; `after`: how many answers of earlier attempts come before; `count`: how many answers the script of this attempt has
   * got with this one; `others`: it waits for other answers too.
   */
  delivered(name: string, given: { after: number; count: number; others: boolean }): void;
  /** The script has made a call; `seen`: how many answers it had got then. */
  asked(seen: number): void;
  /** The first of what is to be told. */
  untold(): ToldAnswers | null;
  /** Whether there is more than the next calls should have to tell. */
  hasMany(): boolean;
  stored(told: ToldAnswers): void;
  beginEpoch(epoch: number): void;
};

export function createAnswersTold(first: number): AnswersTold {
  let epoch = first;
  let entries: string[] = [];
  let upto = 0;
  /** The last answer, which came while the runner knew of no other call; the script may already have made one. */
  let last: { entry: string; count: number } | null = null;

  function add(entry: string): void {
    entries.push(entry);
    upto += 1;
  }

  return {
    delivered(name, { after, count, others }) {
      const entry = `${after}/${name}`;
      if (others) add(entry);
      else last = { entry, count };
    },
    asked(seen) {
      if (last && seen < last.count) add(last.entry);
      last = null;
    },
    untold() {
      const part = entries.slice(0, AT_ONCE);
      const end = upto - entries.length + part.length;
      return part.length === 0 ? null : { epoch, upto: end, text: `${epoch}:${end}:${part.join(',')}` };
    },
    hasMany: () => entries.length > MANY,
    stored(told) {
      if (told.epoch === epoch) entries = entries.slice(Math.max(0, entries.length - (upto - told.upto)));
    },
    beginEpoch(next) {
      epoch = next;
      entries = [];
      upto = 0;
      last = null;
    },
  };
}

/**
 * Names the calls of an epoch for the order of their answers: what is asked, and how many times it was asked before in this section of the
 * epoch. A section begins where a value of `once` is there, because a later attempt does not make the calls for it. Sleeps are only counted:
 * they cost nothing, so a script may make any number of different ones.
 */
export function createOrderNames(): (place: { epoch: number; section: string }, call: NamedCall) => string {
  let current = '';
  let seen = new Map<string, number>();
  return ({ epoch, section }, { operation, said }) => {
    const place = `${epoch}/${section}`;
    if (place !== current) {
      current = place;
      seen = new Map();
    }
    const asked = operation === 'sleep' ? operation : sha256(`${operation} ${said}`).slice(0, 16);
    const count = seen.get(asked) ?? 0;
    seen.set(asked, count + 1);
    return sha256(`${section}${asked}/${count}`).slice(0, 12);
  };
}
