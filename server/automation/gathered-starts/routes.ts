import { type Routes, read, write } from '../../verbs/route.ts';
import { listStarts } from './domain.ts';
import { drop, openNow } from './now.ts';

export const gatheredStartsRoutes = {
  'ai_tasks.list_gathered_starts': read((ctx, { params }) => listStarts(ctx, params.id)),
  'ai_tasks.open_gathered_start': write((ctx, { params }) => openNow(ctx, params)),
  'ai_tasks.drop_gathered_start': write((ctx, { params }) => drop(ctx, params)),
} satisfies Partial<Routes>;
