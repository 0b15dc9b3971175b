import type { Handlers } from '../../http/handlers.ts';
import type { Ending } from '../runs/end.ts';
import * as prompts from './domain.ts';

export const runPromptsRoutes = (ending: Ending): Handlers => ({
  'ai_tasks.list_prompts': (ctx, { params }) => prompts.listPrompts(ctx, params.run_id),
  'ai_tasks.answer_prompt': (ctx, input) => prompts.answerPrompt(ctx, ending, input),
  'runner.ask_prompt': prompts.askPrompt,
});
