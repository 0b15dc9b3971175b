import type { Answers, Question, Reply } from './protocol.ts';
import { createTypesService } from './types-service.ts';

/** TypeScript in a thread of its own, so that typing never waits for it. */

const service = createTypesService();
// The page asks its first question when it knows the source. The declarations, which take longest to read, are read until then.
service.readDeclarations();

function answerTo({ name, asks }: Question): Answers[keyof Answers]['answer'] {
  switch (name) {
    case 'faults':
      return service.faults();
    case 'needed':
      return service.needed();
    case 'suggest':
      return service.suggest(asks);
    case 'describe':
      return service.describe(asks);
    case 'explain':
      return service.explain(asks);
  }
}

self.addEventListener('message', ({ data }: MessageEvent<Question>) => {
  let reply: Reply;
  try {
    if (data.state) service.set(data.state);
    reply = { id: data.id, answer: answerTo(data) };
  } catch (error) {
    reply = { id: data.id, error: error instanceof Error ? error.message : String(error) };
  }
  self.postMessage(reply);
});
