import { type Routes, write } from '../../verbs/route.ts';
import { askGesture } from './domain.ts';

export const decisionsRoutes = { 'me.ask_gesture': write((ctx, input) => askGesture(ctx, input)) } satisfies Partial<Routes>;
