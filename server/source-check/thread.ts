import { parentPort } from 'node:worker_threads';
import { z } from 'zod';
import { canStripTypes, compileTaskSource } from '../../contract/task-source.ts';

const Question = z.object({ id: z.int(), source: z.string() });

parentPort?.on('message', (message: unknown) => {
  const { id, source } = Question.parse(message);
  const compiled = compileTaskSource(source);
  // `spent`: this thread's parser no longer works; the next source needs another thread.
  parentPort?.postMessage({ id, warnings: compiled.ok ? [] : compiled.warnings, spent: !compiled.ok && !canStripTypes() });
});
