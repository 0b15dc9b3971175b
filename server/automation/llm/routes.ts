import type { Samples, StepsHandlers } from '../../http/handlers.ts';
import type { SchemaChecker } from '../../json-schema/check.ts';
import type { Llm } from '../../providers/llm/llm.ts';
import { complete, sampleCompletion } from './domain.ts';

export function llmSteps(llm: Llm, schemas: SchemaChecker): StepsHandlers {
  return { 'llm.complete': (steps, { body }) => complete({ llm, schemas }, steps, body) };
}

export const llmSamples: Samples = { 'llm.complete': (_ctx, { body }) => sampleCompletion(body) };
