import { type Routes, steps } from '../../verbs/route.ts';
import { complete, sampleCompletion } from './domain.ts';

export const llmRoutes = {
  'llm.complete': steps((asking, { body }) => complete(asking.services, asking, body), {
    sample: (_ctx, { body }) => sampleCompletion(body),
  }),
} satisfies Partial<Routes>;
