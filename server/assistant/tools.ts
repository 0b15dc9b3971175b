import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { AssistantDraft } from '../../contract/assistant.ts';
import { TaskSource, TaskVersion } from '../../contract/tasks.ts';
import { bounds } from '../mcp/answer.ts';
import { Id, readBy, Seconds, type Tool, toolOf } from '../mcp/tool.ts';
import { readingTools } from '../mcp/tool-list.ts';
import { checkTool } from '../mcp/tools/check.ts';
import { replayTool } from '../mcp/tools/comparison.ts';
import { dryRunTool } from '../mcp/tools/dry-run.ts';
import { FreeObject, Source } from '../mcp/tools/source.ts';
import { refuseValue } from '../verbs/problem.ts';
import type { Addresses } from './addresses.ts';

/** The tools of the assistant: those of agents that read, and those that work on the draft of its thread (spec AS3). */

/** What the tools work on. `write` keeps a step of the draft. */
export type Desk = {
  taskId: number | null;
  addresses: Addresses;
  draft(): AssistantDraft | null;
  write(draft: AssistantDraft): Promise<void>;
};

const SCRIPT_API = new URL('../../sandbox-lib/index.ts', import.meta.url);
const WHOLE_FILE = 32_768;

export function toolsFor(desk: Desk): readonly Tool[] {
  return [...readingTools, scriptApiTool, writeTool(desk), editTool(desk), checkDraft(desk), dryRunDraft(desk), replayDraft(desk)];
}

const scriptApiTool = toolOf({
  name: 'script_api',
  description: 'All that a script may use besides admin.*, as TypeScript: paginate, log, once, checkpoint, prompt, mail, http, …',
  input: z.object({ ...bounds, max_bytes: z.number().default(WHOLE_FILE) }),
  readOnly: true,
  run: () => readFile(SCRIPT_API, 'utf8'),
});

const writeTool = ({ addresses, draft, write }: Desk) =>
  toolOf({
    name: 'write_draft',
    description: 'Writes the draft in the editor: source_code, permissions, parameters and grants. What you leave out stays as it is.',
    input: Source.partial().extend({
      parameters: z.array(z.unknown()).optional().describe('Declarations: {name, kind, label?, required?, default?}'),
    }),
    readOnly: false,
    run: async (given) => {
      const empty = { source_code: '', permissions: [], parameters: [] };
      const restored = Object.entries(given).map(([field, value]) => [field, addresses.restore(value, `/${field}`)]);
      const before = draft();
      // What is refused is told in the words of the model, never in those that were put back.
      accepted({ ...empty, ...(before && addresses.hidden(before)), ...given });
      await write(accepted({ ...empty, ...before, ...Object.fromEntries(restored) }));
      return { written: Object.keys(given) };
    },
  });

const editTool = ({ addresses, draft, write }: Desk) =>
  toolOf({
    name: 'edit_draft',
    description: 'Replaces one passage of the source in the editor. old_text must stand there exactly once, with its white space.',
    input: z.object({ old_text: z.string().min(1), new_text: z.string() }),
    readOnly: false,
    run: async ({ old_text, new_text }) => {
      const before = requireDraft(draft());
      // A passage of what the model reads: one of the real text would tell, letter by letter, what stands there.
      const shown = addresses.hideText(before.source_code);
      const [first = '', ...others] = shown.split(old_text);
      if (others.length !== 1)
        throw refuseValue(
          'invalid_value',
          '/old_text',
          `stands ${others.length === 0 ? 'nowhere' : `${others.length} times`} in the source; it must stand there once`,
        );
      const to = first.length + old_text.length;
      const isCut = ([from, end]: [number, number]): boolean => from < to && first.length < end && !(first.length <= from && end <= to);
      if (addresses.placesIn(shown).some(isCut))
        throw refuseValue(
          'invalid_value',
          '/old_text',
          'begins or ends within the stand-in of an e-mail address; take it whole, or leave it',
        );
      const source_code = addresses.restoreText(first + new_text + others[0], '/new_text');
      await write(accepted({ ...before, source_code }));
      return { replaced: true };
    },
  });

const checkDraft = ({ draft, addresses }: Desk) =>
  toolOf({
    name: 'check',
    description:
      'Checks the draft without running it: faults of its text, type errors with its permissions, and permissions that are missing or too many.',
    input: z.object(bounds),
    readOnly: true,
    run: (given, caller) => checkTool.run({ ...addresses.hidden(requireDraft(draft())), ...given }, caller),
  });

const dryRunDraft = ({ taskId, draft, addresses }: Desk) =>
  toolOf({
    name: 'dry_run',
    description:
      'Runs the draft with real reads; nothing is kept. Answers how it ended, its log and result, and its plan: what it would change.',
    input: z.object({
      values: FreeObject.default({}).describe('Values of the parameters'),
      version_id: Id.optional().describe('Runs this version of the task instead'),
      wait_seconds: Seconds,
      ...bounds,
    }),
    readOnly: false,
    run: async (given, caller) => {
      if (taskId !== null && given.version_id !== undefined)
        refuseReal(addresses, await caller.request('GET', `/ai-tasks/${taskId}/versions/${given.version_id}`));
      const of = given.version_id === undefined ? { draft: addresses.hidden(requireDraft(draft())) } : {};
      return dryRunTool.run({ ...given, ...of, ...(taskId !== null && { task_id: taskId }) }, caller);
    },
  });

const replayDraft = ({ draft, addresses }: Desk) =>
  toolOf({
    name: 'replay',
    description:
      'Runs the draft again on the recorded answers of a run (started with record) and tells what differs; nothing is read or changed.',
    input: z.object({ task_id: Id, run_id: Id, wait_seconds: Seconds, ...bounds }),
    readOnly: false,
    run: (given, caller) => replayTool.run({ ...given, draft: addresses.hidden(requireDraft(draft())) }, caller),
  });

/** What of a version a script may spell. */
const Written = TaskVersion.pick({ source_code: true, parameters: true, mail_to: true, http_allow: true });

/** A version may be what the model wrote, with the addresses that were put back. */
function refuseReal(addresses: Addresses, version: unknown): void {
  if (addresses.isIn(Written.parse(version)))
    throw refuseValue(
      'invalid_value',
      '/version_id',
      'has e-mail addresses, which are hidden from you: run the draft instead, or ask the person to run this version dry',
    );
}

function requireDraft(draft: AssistantDraft | null): AssistantDraft {
  if (draft === null) throw refuseValue('required', '/draft', 'is missing: there is no draft yet. Write one with write_draft');
  return draft;
}

/** The draft as a version of it would be taken. */
function accepted(draft: Record<string, unknown>): AssistantDraft {
  const { parameters, ...rest } = readBy(TaskSource, draft);
  return { ...rest, parameters: z.array(z.record(z.string(), z.json())).parse(JSON.parse(JSON.stringify(parameters))) };
}
