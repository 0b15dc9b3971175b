import type { Tool } from './tool.ts';
import { callTool } from './tools/call.ts';
import { checkTool } from './tools/check.ts';
import { compareTool, replayTool } from './tools/comparison.ts';
import { dryRunTool } from './tools/dry-run.ts';
import { planUndoTool } from './tools/plan-undo.ts';
import { proposeTool } from './tools/propose.ts';
import { readTool } from './tools/read.ts';
import { runsTool, runTool } from './tools/runs.ts';
import { searchTool } from './tools/search-api.ts';
import { submitTool } from './tools/submit.ts';
import { tasksTool } from './tools/tasks.ts';

/** The tools that read, which the assistant of the console has, too. */
export const readingTools: readonly Tool[] = [searchTool, readTool, callTool, tasksTool, runsTool, runTool, compareTool];

/** The tools of agents. */
export const tools: readonly Tool[] = [...readingTools, checkTool, dryRunTool, submitTool, proposeTool, replayTool, planUndoTool];
