import { type Routes, stream } from '../../verbs/route.ts';
import { streamChanges } from './domain.ts';

export const changesRoutes = {
  'changes.stream': stream(streamChanges),
} satisfies Partial<Routes>;
