import { type Routes, steps } from '../../verbs/route.ts';
import { sampleAnswer, sendRequest } from './domain.ts';

export const outgoingRoutes = {
  'http.fetch': steps((asking, { body }) => sendRequest(asking, body), { sample: (ctx, { body }) => sampleAnswer(ctx, body) }),
  'http.send': steps((asking, { body }) => sendRequest(asking, body), {
    sample: (ctx, { body }) => sampleAnswer(ctx, body),
    samplesEffect: true,
  }),
} satisfies Partial<Routes>;
