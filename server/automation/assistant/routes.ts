import { type Routes, read, stream, write } from '../../verbs/route.ts';
import * as assistant from './domain.ts';
import { streamThread } from './stream.ts';

export const assistantRoutes = {
  'assistant.status': read(assistant.getStatus),
  'assistant.create_thread': write(assistant.createThread),
  'assistant.list_threads': read(assistant.listThreads),
  'assistant.get_thread': read((ctx, { params }) => assistant.getThread(ctx, params.id)),
  'assistant.delete_thread': write((ctx, { params }) => assistant.deleteThread(ctx, params.id)),
  'assistant.send_message': write(assistant.sendMessage),
  'assistant.stop': write((ctx, { params }) => assistant.stop(ctx, params.id)),
  'assistant.retry': write((ctx, { params }) => assistant.retry(ctx, params.id)),
  'assistant.events': stream(streamThread),
} satisfies Partial<Routes>;
