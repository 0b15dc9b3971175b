import { adminsEndpoints } from './admins.ts';
import { agentRequestsEndpoints } from './agent-requests.ts';
import { agentsEndpoints } from './agents.ts';
import { approvalsEndpoints } from './approvals.ts';
import { artifactsEndpoints } from './artifacts.ts';
import { assistantEndpoints } from './assistant.ts';
import { auditLogEndpoints } from './audit-log.ts';
import { changesEndpoints } from './changes.ts';
import { decisionsEndpoints } from './decisions.ts';
import { dryRunsEndpoints } from './dry-runs.ts';
import type { Endpoint, OwnTaskRight } from './endpoint.ts';
import { hooksEndpoints } from './hooks.ts';
import { httpEndpoints } from './http.ts';
import { invitationsEndpoints } from './invitations.ts';
import { llmEndpoints } from './llm.ts';
import { mailsEndpoints } from './mails.ts';
import { oneTimeLinksEndpoints } from './one-time-links.ts';
import { passkeysEndpoints } from './passkeys.ts';
import type { TaskPermission } from './permissions.ts';
import { planRequestsEndpoints } from './plan-requests.ts';
import { policyChangesEndpoints } from './policy-changes.ts';
import { preferencesEndpoints } from './preferences.ts';
import { promptsEndpoints } from './prompts.ts';
import { proposalsEndpoints } from './proposals.ts';
import { replaysEndpoints } from './replays.ts';
import { rolesEndpoints } from './roles.ts';
import { runBulkEndpoints } from './run-bulk.ts';
import { runCheckpointsEndpoints } from './run-checkpoints.ts';
import { runComparisonEndpoints } from './run-comparison.ts';
import { runFilesEndpoints } from './run-files.ts';
import { runLinesEndpoints } from './run-lines.ts';
import { runTimelineEndpoints } from './run-timeline.ts';
import { runnerEndpoints } from './runner.ts';
import { runsEndpoints } from './runs.ts';
import { schedulesEndpoints } from './schedules.ts';
import { sessionsEndpoints } from './sessions.ts';
import { settingsEndpoints } from './settings.ts';
import { shopEndpoints } from './shop.ts';
import { signalsEndpoints } from './signals.ts';
import { gatheredStartsEndpoints } from './start-options.ts';
import { taskDraftsEndpoints } from './task-drafts.ts';
import { taskErrorsEndpoints } from './task-errors.ts';
import { taskExamplesEndpoints } from './task-examples.ts';
import { taskHealthEndpoints } from './task-health.ts';
import { taskRunsEndpoints } from './task-runs.ts';
import { taskSecretsEndpoints } from './task-secrets.ts';
import { taskStateEndpoints } from './task-state.ts';
import { taskVariablesEndpoints } from './task-variables.ts';
import { tasksEndpoints } from './tasks.ts';
import { trialsEndpoints } from './trials.ts';
import { triggersEndpoints } from './triggers.ts';
import { undoEndpoints } from './undo.ts';
import { undoEntriesEndpoints } from './undo-entries.ts';
import { versionCommentsEndpoints } from './version-comments.ts';
import { viewsEndpoints } from './views.ts';
import { waitsEndpoints } from './waits.ts';
import { webhookEndpointsEndpoints } from './webhook-endpoints.ts';

/** Every endpoint under its id. */
export const endpoints = {
  ...shopEndpoints,
  ...tasksEndpoints,
  ...taskDraftsEndpoints,
  ...taskExamplesEndpoints,
  ...taskStateEndpoints,
  ...taskSecretsEndpoints,
  ...taskVariablesEndpoints,
  ...approvalsEndpoints,
  ...trialsEndpoints,
  ...versionCommentsEndpoints,
  ...proposalsEndpoints,
  ...runsEndpoints,
  ...runLinesEndpoints,
  ...runCheckpointsEndpoints,
  ...runBulkEndpoints,
  ...runComparisonEndpoints,
  ...runTimelineEndpoints,
  ...taskHealthEndpoints,
  ...taskErrorsEndpoints,
  ...schedulesEndpoints,
  ...triggersEndpoints,
  ...gatheredStartsEndpoints,
  ...hooksEndpoints,
  ...replaysEndpoints,
  ...runnerEndpoints,
  ...llmEndpoints,
  ...httpEndpoints,
  ...taskRunsEndpoints,
  ...runFilesEndpoints,
  ...dryRunsEndpoints,
  ...undoEndpoints,
  ...planRequestsEndpoints,
  ...promptsEndpoints,
  ...waitsEndpoints,
  ...signalsEndpoints,
  ...artifactsEndpoints,
  ...preferencesEndpoints,
  ...decisionsEndpoints,
  ...policyChangesEndpoints,
  ...settingsEndpoints,
  ...mailsEndpoints,
  ...adminsEndpoints,
  ...rolesEndpoints,
  ...invitationsEndpoints,
  ...agentsEndpoints,
  ...agentRequestsEndpoints,
  ...assistantEndpoints,
  ...oneTimeLinksEndpoints,
  ...passkeysEndpoints,
  ...sessionsEndpoints,
  ...viewsEndpoints,
  ...changesEndpoints,
  ...auditLogEndpoints,
  ...undoEntriesEndpoints,
  ...webhookEndpointsEndpoints,
} as const;

export type Endpoints = typeof endpoints;

type Callable<E extends Endpoint> = E extends { taskPermission: infer P } ? P : E['permission'];
/** The writes that tasks may call and that do not say how they are taken back. */
type NotSaid = {
  [Id in keyof Endpoints]: Endpoints[Id] extends infer E extends Endpoint
    ? E extends { method: 'GET' } | { writes: false } | { ownRun: true } | { undo: unknown }
      ? never
      : Callable<E> extends TaskPermission | OwnTaskRight
        ? Id
        : never
    : never;
}[keyof Endpoints];
// If the compiler calls this line wrong, it names an endpoint whose declaration lacks `undo`.
void ({} satisfies Record<NotSaid, never>);

export type EndpointId = keyof Endpoints;

export const endpointList: readonly Endpoint[] = Object.values(endpoints);

/** Kinds of records that a path can name; the server knows how each kind is looked up. */
export type RecordName = Extract<Endpoints[EndpointId], { record: string }>['record'];
