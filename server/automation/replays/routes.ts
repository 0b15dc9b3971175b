import { type Routes, read, write } from '../../verbs/route.ts';
import { getReplay, listAnswers, startReplay } from './domain.ts';

export const replayRoutes = {
  'replays.start': write((ctx, input) => startReplay(ctx.services.work)(ctx, input)),
  'replays.get': read(getReplay),
  'runner.list_answers': read(listAnswers),
} satisfies Partial<Routes>;
