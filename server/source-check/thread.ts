import { parentPort } from 'node:worker_threads';
import { z } from 'zod';
import { canStripTypes, compileTaskSource } from '../../contract/task-source.ts';

const Question = z.object({ id: z.int(), source: z.string() });

parentPort?.on('message', (message: unknown) => {
  const { id, source } = Question.parse(message);
  const compiled = compileTaskSource(source);
  // This thread's parser may have been broken for good.
  parentPort?.postMessage({ id, result: compiled.ok ? [] : compiled.warnings, spent: !compiled.ok && !canStripTypes() });
});
