import { parentPort } from 'node:worker_threads';
import { z } from 'zod';
import { checkTemplate, Rendering, renderTemplate } from './liquid.ts';

const Question = z.union([z.object({ id: z.int(), check: z.string() }), z.object({ id: z.int(), render: Rendering })]);

parentPort?.on('message', (message: unknown) => {
  const question = Question.parse(message);
  const result = 'check' in question ? checkTemplate(question.check) : renderTemplate(question.render);
  parentPort?.postMessage({ id: question.id, result });
});
parentPort?.postMessage('ready');
