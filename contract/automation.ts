import {
  aiTasksApproveVersion,
  aiTasksListApprovals,
  aiTasksListVersionApprovals,
  aiTasksRejectVersion,
  aiTasksRevokeVersion,
} from './approvals.ts';
import { aiTasksGetArtifactContent, aiTasksListArtifacts, runnerWriteArtifact } from './artifacts.ts';
import { aiTasksApplyRun } from './dry-runs.ts';
import type { Endpoint } from './endpoint.ts';
import { llmComplete } from './llm.ts';
import { aiTasksAnswerPrompt, aiTasksListPrompts, runnerAskPrompt } from './prompts.ts';
import { replaysGet, replaysStart, runnerListAnswers } from './replays.ts';
import { runnerReadFile } from './run-files.ts';
import { runnerClaim, runnerRemember, runnerStatus } from './runner.ts';
import {
  aiTasksAppendRunEvents,
  aiTasksCancelRun,
  aiTasksCancelRuns,
  aiTasksGetRun,
  aiTasksListEffects,
  aiTasksListRuns,
  aiTasksStartRun,
  aiTasksStreamRun,
} from './runs.ts';
import {
  aiTasksCreateSchedule,
  aiTasksDeleteSchedule,
  aiTasksGetSchedule,
  aiTasksListSchedules,
  aiTasksListUpcoming,
  aiTasksUpdateSchedule,
} from './schedules.ts';
import { aiTasksCreate, aiTasksCreateVersion, aiTasksDelete, aiTasksGet, aiTasksGetVersion, aiTasksList, aiTasksUpdate } from './tasks.ts';
import { aiTasksCreateTrigger, aiTasksDeleteTrigger, aiTasksGetTrigger, aiTasksListTriggers, aiTasksUpdateTrigger } from './triggers.ts';

/** Every endpoint of tasks and their runs, and of what starts, asks and carries them out, under its id. */
export const automation = {
  'ai_tasks.list': aiTasksList,
  'ai_tasks.get': aiTasksGet,
  'ai_tasks.create': aiTasksCreate,
  'ai_tasks.update': aiTasksUpdate,
  'ai_tasks.delete': aiTasksDelete,
  'ai_tasks.create_version': aiTasksCreateVersion,
  'ai_tasks.get_version': aiTasksGetVersion,
  'ai_tasks.approve_version': aiTasksApproveVersion,
  'ai_tasks.reject_version': aiTasksRejectVersion,
  'ai_tasks.revoke_version': aiTasksRevokeVersion,
  'ai_tasks.list_approvals': aiTasksListApprovals,
  'ai_tasks.list_version_approvals': aiTasksListVersionApprovals,
  'ai_tasks.list_runs': aiTasksListRuns,
  'ai_tasks.start_run': aiTasksStartRun,
  'ai_tasks.get_run': aiTasksGetRun,
  'ai_tasks.append_run_events': aiTasksAppendRunEvents,
  'ai_tasks.cancel_run': aiTasksCancelRun,
  'ai_tasks.cancel_runs': aiTasksCancelRuns,
  'ai_tasks.list_effects': aiTasksListEffects,
  'ai_tasks.stream_run': aiTasksStreamRun,
  'ai_tasks.list_schedules': aiTasksListSchedules,
  'ai_tasks.create_schedule': aiTasksCreateSchedule,
  'ai_tasks.get_schedule': aiTasksGetSchedule,
  'ai_tasks.update_schedule': aiTasksUpdateSchedule,
  'ai_tasks.delete_schedule': aiTasksDeleteSchedule,
  'ai_tasks.list_upcoming': aiTasksListUpcoming,
  'ai_tasks.list_triggers': aiTasksListTriggers,
  'ai_tasks.create_trigger': aiTasksCreateTrigger,
  'ai_tasks.get_trigger': aiTasksGetTrigger,
  'ai_tasks.update_trigger': aiTasksUpdateTrigger,
  'ai_tasks.delete_trigger': aiTasksDeleteTrigger,
  'replays.start': replaysStart,
  'replays.get': replaysGet,
  'runner.claim': runnerClaim,
  'runner.status': runnerStatus,
  'runner.remember': runnerRemember,
  'llm.complete': llmComplete,
  'runner.read_file': runnerReadFile,
  'ai_tasks.apply_run': aiTasksApplyRun,
  'runner.ask_prompt': runnerAskPrompt,
  'ai_tasks.list_prompts': aiTasksListPrompts,
  'ai_tasks.answer_prompt': aiTasksAnswerPrompt,
  'ai_tasks.list_artifacts': aiTasksListArtifacts,
  'ai_tasks.get_artifact_content': aiTasksGetArtifactContent,
  'runner.write_artifact': runnerWriteArtifact,
  'runner.list_answers': runnerListAnswers,
} as const satisfies Record<string, Endpoint>;
