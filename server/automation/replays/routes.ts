import { type Routes, read, write } from '../../verbs/route.ts';
import { prepareDraft } from '../tasks/prepare.ts';
import { getReplay, listAnswers, startReplay } from './domain.ts';
import { getRecording } from './recording.ts';

export const replayRoutes = {
  'replays.start': write(startReplay, { prepare: prepareDraft }),
  'replays.get': read(getReplay),
  'replays.get_recording': read(getRecording),
  'runner.list_answers': read(listAnswers),
} satisfies Partial<Routes>;
