import { parentPort } from 'node:worker_threads';
import { z } from 'zod';
import { canStripTypes, compileTaskSource } from '../../contract/task-source.ts';

const Question = z.object({ id: z.int(), source: z.string() });

parentPort?.on('message', (message: unknown) => {
  const { id, source } = Question.parse(message);
  const compiled = compileTaskSource(source);
  // A hostile source may have broken this thread's parser for good.
  const result = compiled.ok ? { warnings: [], code: compiled.code } : { warnings: compiled.warnings, code: null };
  parentPort?.postMessage({ id, result, spent: !compiled.ok && !canStripTypes() });
});
parentPort?.postMessage('ready');
