import { parentPort } from 'node:worker_threads';
import { z } from 'zod';
import { markWarnings } from '../../contract/source-marks.ts';
import { canStripTypes, compileTaskSource } from '../../contract/task-source.ts';
import { transformTypeScript } from './transform.ts';

const Question = z.object({ id: z.int(), source: z.string() });

parentPort?.on('message', (message: unknown) => {
  const { id, source } = Question.parse(message);
  const compiled = compileTaskSource(source, transformTypeScript);
  const result = { warnings: [...compiled.warnings, ...markWarnings(source)], code: compiled.ok ? compiled.code : null };
  // A hostile source may have broken this thread's parser for good.
  parentPort?.postMessage({ id, result, spent: !compiled.ok && !canStripTypes() });
});
parentPort?.postMessage('ready');
