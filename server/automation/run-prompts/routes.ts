import { type Routes, read, write } from '../../verbs/route.ts';
import { awaitRun } from './awaited-runs.ts';
import * as prompts from './domain.ts';

export const runPromptsRoutes = {
  'ai_tasks.list_prompts': read((ctx, { params }) => prompts.listPrompts(ctx, params.run_id)),
  'ai_tasks.list_open_prompts': read(prompts.listOpenPrompts),
  'ai_tasks.answer_prompt': write(prompts.answerPrompt),
  'runner.ask_prompt': write(prompts.askPrompt),
  'runner.await_run': write(awaitRun),
} satisfies Partial<Routes>;
