import type { Handlers } from '../../http/handlers.ts';
import type { Services } from '../../services.ts';
import { getReplay, listAnswers, startReplay } from './domain.ts';

export function replayRoutes({ work }: Services): Handlers {
  return {
    'replays.start': startReplay(work),
    'replays.get': getReplay,
    'runner.list_answers': listAnswers,
  };
}
