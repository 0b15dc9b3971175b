import { type Routes, read, write } from '../../verbs/route.ts';
import * as hooks from './domain.ts';

export const hooksRoutes = {
  'ai_tasks.list_hooks': read((ctx, { params }) => hooks.listHooks(ctx, params.id)),
  'ai_tasks.create_hook': write((ctx, { params, body }) => hooks.createHook(ctx, params.id, body)),
  'ai_tasks.get_hook': read((ctx, { params }) => hooks.getHook(ctx, params)),
  'ai_tasks.update_hook': write((ctx, { params, body }) => hooks.updateHook(ctx, params, body)),
  'ai_tasks.rotate_hook': write((ctx, { params }) => hooks.rotateHook(ctx, params)),
  'ai_tasks.delete_hook': write((ctx, { params }) => hooks.deleteHook(ctx, params)),
} satisfies Partial<Routes>;
