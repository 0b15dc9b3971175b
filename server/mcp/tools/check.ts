import { bounds } from '../answer.ts';
import { toolOf } from '../tool.ts';
import { Source } from './source.ts';

export const checkTool = toolOf({
  name: 'check',
  description:
    'Checks a script without running it: faults of its text, type errors with these permissions, and permissions that are missing or too many.',
  input: Source.extend(bounds),
  readOnly: true,
  run: async ({ max_bytes: _, from: __, ...draft }, caller) => await caller.request('POST', '/task-drafts/check', draft),
});
