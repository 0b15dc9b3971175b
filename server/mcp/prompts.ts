import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

/** Ways to begin, which a client offers to the person who uses it. */

const HOW =
  'Find the operations with search_api, look at an example (backroom://examples/…) and at backroom://script-api. Check the script, and try it with ' +
  'dry_run until its plan is what is wanted, and nothing else. Ask back if the wish leaves open whom it concerns. Then submit it with the dry run as ' +
  'evidence, and say in the note what it changes; what is to run once is proposed instead. A person decides.';

const PROMPTS = {
  write_task: {
    title: 'Write a task that …',
    description: 'From a wish in plain words to a version that waits for approval, with its dry run',
    argsSchema: z.object({ wish: z.string() }),
    text: ({ wish }: { wish: string }) => `Write a task for this shop: ${wish}\n\n${HOW}`,
  },
  change_task: {
    title: 'Make task N do …',
    description: 'A changed version of a task, tried and handed in',
    argsSchema: z.object({ task_id: z.string(), wish: z.string() }),
    text: ({ task_id, wish }: { task_id: string; wish: string }) =>
      `Change task ${task_id} of this shop: ${wish}\n\nRead its current version with tasks first, and hand in the change with base_version_id. ${HOW}`,
  },
  explain_run: {
    title: 'Why did run N end so?',
    description: 'What a run did, why it ended, and a fix if its script is at fault',
    argsSchema: z.object({ task_id: z.string(), run_id: z.string() }),
    text: ({ task_id, run_id }: { task_id: string; run_id: string }) =>
      `Why did run ${run_id} of task ${task_id} end as it did? Read it with run: first as a whole, then its log, calls and timeline. If the script is at fault, propose a fix: ` +
      'try it with dry_run, replay it on the run if that was recorded, and submit it.',
  },
};

export function addPrompts(server: McpServer): void {
  const { write_task, change_task, explain_run } = PROMPTS;
  server.registerPrompt('write_task', write_task, (given) => asked(write_task.text(given)));
  server.registerPrompt('change_task', change_task, (given) => asked(change_task.text(given)));
  server.registerPrompt('explain_run', explain_run, (given) => asked(explain_run.text(given)));
}

function asked(text: string) {
  return { messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] };
}
