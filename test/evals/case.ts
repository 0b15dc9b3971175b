import type { noticeCodes } from '../../contract/assistant.ts';
import type { JsonObject } from '../../contract/run-events.ts';
import type { ModelCall } from '../helpers/model-protocols.ts';
import type { Reply, Request } from '../helpers/model-server.ts';
import type { ShopData } from './shop.ts';

type NoticeCode = (typeof noticeCodes)[number];

/** A wish of a shop in plain words, what must come of it, and the turns of a model that grants it, which are written by hand. */
export type EvalCase = {
  name: string;
  topic: 'tagging' | 'reminders' | 'stock' | 'reports' | 'imports' | 'clean-ups' | 'refusals';
  wish: string;
  turns: readonly Turn[] | ((data: ShopData) => readonly Turn[]);
  /** What the assistant must have noticed of the faults in these turns. */
  notices?: readonly NoticeCode[];
} & (Granted | Refused);

/** One answer of the model; a function decides by what it was asked. */
export type Turn = Reply | ((asked: Request) => Reply);

export type Granted = {
  /** The most that it may ask for. */
  permissions: readonly string[];
  grants?: Grants;
  /** The changes of the plan, exactly. */
  changes(data: ShopData): readonly Change[];
  /** Texts that its result, log or files must contain; blanks and separators of numbers are not compared. */
  shows?(data: ShopData): readonly string[];
};
export type Grants = Partial<Record<'mail_to' | 'http_allow' | 'secrets', readonly string[]>>;

/** It must write no draft: `asks` is a question to the person, `refuses` says that it cannot be. */
export type Refused = { declines: 'asks' | 'refuses' };

/**
 * `id`: null where the record is new. `after`: the values of some of its fields; `anything`: any value but null. `mayBeMissing`: where the
 * wish can be read in two ways.
 */
export type Change = { type: string; id: number | null; after: Readonly<Record<string, unknown>>; mayBeMissing?: boolean };
export const anything = Symbol('anything');

export const isGranted = (one: EvalCase): one is EvalCase & Granted => !('declines' in one);

/** The day of the shop `days` before `today`. */
export function daysBefore(today: string, days: number): string {
  return new Date(Date.parse(today) - days * 86_400_000).toISOString().slice(0, 10);
}

type Declared = { parameters?: readonly JsonObject[] } & Grants;

export const search = (query: string): ModelCall => ({ name: 'search_api', input: { query } });
export const write = (source_code: string, permissions: readonly string[], more: Declared = {}): ModelCall => ({
  name: 'write_draft',
  input: { source_code, permissions, ...more },
});
export const check: ModelCall = { name: 'check', input: {} };
export const dryRun = (values: JsonObject = {}): ModelCall => ({ name: 'dry_run', input: { values, wait_seconds: 30 } });

type Draft = { query: string; source: string; permissions: readonly string[]; values?: JsonObject; says: string } & Declared;

/** How most drafts come about: looked up, written, checked and tried. */
export function usualTurns({ query, source, permissions, values, says, ...more }: Draft): [Reply, Reply, Reply, Reply] {
  return [
    { text: 'I look up what the shop has for it.', calls: [search(query)] },
    { text: 'Now the draft.', calls: [write(source, permissions, more)] },
    { calls: [check, dryRun(values)] },
    { text: says },
  ];
}
