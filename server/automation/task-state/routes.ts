import { type Routes, read, write } from '../../verbs/route.ts';
import * as state from './domain.ts';

export const taskStateRoutes = {
  'ai_tasks.list_state': read(state.listState),
  'ai_tasks.get_state': read(state.getState),
  'ai_tasks.set_state': write(state.setState),
  'ai_tasks.delete_state': write(state.deleteState),
} satisfies Partial<Routes>;
