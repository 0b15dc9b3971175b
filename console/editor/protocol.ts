import type { ParameterDeclaration } from '../../contract/tasks.ts';

/** What page and worker say to each other. Positions count UTF-16 units from the start of the source. */

export type ScriptState = {
  source: string;
  permissions: readonly string[];
  parameters: readonly ParameterDeclaration[];
};

export type Fault = {
  from: number;
  to: number;
  message: string;
  severity: 'error' | 'warning';
  /** The permission that the call at this place needs and the version does not declare. */
  needs?: string;
};

export type Suggestion = { name: string; kind: string; order: string; needs?: string };
export type Suggestions = { from: number; list: Suggestion[] };
export type Explanation = { from: number; to: number; type: string; about: string };

/** The questions that the worker answers, each about the state that was sent last. */
export type Answers = {
  faults: { asks: null; answer: Fault[] };
  /** The permissions that the calls of the source need, whatever is declared. */
  needed: { asks: null; answer: string[] };
  suggest: { asks: { at: number }; answer: Suggestions | null };
  describe: { asks: { at: number; name: string }; answer: Omit<Explanation, 'from' | 'to'> | null };
  explain: { asks: { at: number }; answer: Explanation | null };
};

export type Question = {
  [Name in keyof Answers]: { id: number; name: Name; asks: Answers[Name]['asks']; state?: ScriptState };
}[keyof Answers];
export type Reply = { id: number; answer: Answers[keyof Answers]['answer'] } | { id: number; error: string };
