import { existsSync, readdirSync } from 'node:fs';
import { z } from 'zod';
import { linesOf, placeIn } from '../../contract/source-text.ts';
import type { TypeFault } from '../../contract/task-drafts.ts';

/**
 * Runs the worker of the console's editor, which holds TypeScript and the types of scripts, outside a browser. So people and agents are told
 * the same, and what is large is there once.
 */

const Question = z.object({
  id: z.int(),
  source: z.string(),
  permissions: z.array(z.string()),
  parameters: z.array(z.looseObject({ name: z.string(), kind: z.string() })),
});
type Question = z.infer<typeof Question>;

const Severity = z.enum(['error', 'warning']);
const Fault = z.object({ from: z.int(), message: z.string(), severity: Severity, needs: z.string().optional() });
const Reply = z.object({ answer: z.unknown() });

let ask: ((message: { data: object }) => void) | undefined;
let reply: unknown;

const worker = fromSources() ?? built();
if (worker !== null) {
  Object.assign(globalThis, {
    self: {
      addEventListener: (_: string, listener: (message: { data: object }) => void) => {
        ask = listener;
      },
      postMessage: (message: unknown) => {
        reply = message;
      },
    },
  });
  // By this TypeScript knows that it is not to look for files.
  Object.assign(process, { browser: true });
  await import(worker.href);
}

process.on('message', (message) => {
  const question = Question.parse(message);
  process.send?.({ id: question.id, result: worker === null ? null : check(question) });
});
process.send?.('ready');

/** A development install has the TypeScript that the console is built with. */
function fromSources(): URL | null {
  const typescript = new URL('../../console/editor/node_modules/typescript/package.json', import.meta.url);
  return existsSync(typescript) ? new URL('../../tools/editor-worker.ts', import.meta.url) : null;
}

function built(): URL | null {
  const folder = new URL('../../dist/console/assets/', import.meta.url);
  const name = existsSync(folder) ? readdirSync(folder).find((one) => /^types-worker-.*\.js$/.test(one)) : undefined;
  return name === undefined ? null : new URL(name, folder);
}

function check({ id: _, ...state }: Question): { faults: TypeFault[]; needed: string[] } {
  const lines = linesOf(state.source);
  const faults = z.array(Fault).parse(answerTo('faults', state));
  const needed = z.array(z.string()).parse(answerTo('needed', state));
  // TypeScript repeats names of any length.
  const told = faults.map(({ from, message, ...fault }) => ({ ...placeIn(lines, from), ...fault, message: message.slice(0, MESSAGE_MAX) }));
  return { faults: told, needed };
}

const MESSAGE_MAX = 1000;

/** The worker answers at once. */
function answerTo(name: 'faults' | 'needed', state: Omit<Question, 'id'>): unknown {
  ask?.({ data: { id: 1, name, asks: null, state } });
  return Reply.parse(reply).answer;
}
