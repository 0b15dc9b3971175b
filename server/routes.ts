import { approvalRoutes } from './automation/approvals/routes.ts';
import { recordVersions as artifactVersions } from './automation/artifacts/domain.ts';
import { artifactsRoutes } from './automation/artifacts/routes.ts';
import { recordVersions as assistantVersions, claimThread, forgetThreads } from './automation/assistant/domain.ts';
import { assistantRoutes } from './automation/assistant/routes.ts';
import { gatheredStartsRoutes } from './automation/gathered-starts/routes.ts';
import { recordVersions as hookVersions } from './automation/hooks/domain.ts';
import { hooksRoutes } from './automation/hooks/routes.ts';
import { llmRoutes } from './automation/llm/routes.ts';
import { outgoingRoutes } from './automation/outgoing/routes.ts';
import { replayRoutes } from './automation/replays/routes.ts';
import { runBulkRoutes } from './automation/run-bulk/routes.ts';
import { runFilesRoutes } from './automation/run-files/routes.ts';
import { recordVersions as promptVersions } from './automation/run-prompts/domain.ts';
import { runPromptsRoutes } from './automation/run-prompts/routes.ts';
import { runWaitsRoutes } from './automation/run-waits/routes.ts';
import { runnerRoutes } from './automation/runner/routes.ts';
import { errorVersions } from './automation/runs/errors/domain.ts';
import { runRoutes } from './automation/runs/routes.ts';
import { runVersions } from './automation/runs/views/runs.ts';
import { recordVersions as scheduleVersions } from './automation/schedules/domain.ts';
import { schedulesRoutes } from './automation/schedules/routes.ts';
import { recordVersions as secretVersions } from './automation/secrets/domain.ts';
import { secretsRoutes } from './automation/secrets/routes.ts';
import { taskExampleRoutes, recordVersions as taskExampleVersions } from './automation/task-examples/routes.ts';
import { taskMailRoutes } from './automation/task-mails/routes.ts';
import { taskStartRoutes } from './automation/task-starts/routes.ts';
import { recordVersions as taskStateVersions } from './automation/task-state/domain.ts';
import { taskStateRoutes } from './automation/task-state/routes.ts';
import { taskVersions } from './automation/tasks/domain.ts';
import { taskRoutes } from './automation/tasks/routes.ts';
import { recordVersions as triggerVersions } from './automation/triggers/domain.ts';
import { triggersRoutes } from './automation/triggers/routes.ts';
import { undoRoutes } from './automation/undo/routes.ts';
import { recordVersions as variableVersions } from './automation/variables/domain.ts';
import { variablesRoutes } from './automation/variables/routes.ts';
import { recordVersions as versionCommentVersions } from './automation/version-comments/domain.ts';
import { versionCommentRoutes } from './automation/version-comments/routes.ts';
import { recordVersions as accessGroupVersions } from './resources/access-groups/domain.ts';
import { accessGroupsRoutes } from './resources/access-groups/routes.ts';
import { recordVersions as adminVersions } from './resources/admins/domain.ts';
import { adminsRoutes } from './resources/admins/routes.ts';
import { auditLogRoutes, recordVersions as auditVersions } from './resources/audit/routes.ts';
import { changesRoutes } from './resources/changes/routes.ts';
import { recordVersions as commentVersions } from './resources/comments/domain.ts';
import { commentsRoutes } from './resources/comments/routes.ts';
import { creditsRoutes } from './resources/credits/routes.ts';
import { recordVersions as addressVersions } from './resources/customer-addresses/domain.ts';
import { customerAddressesRoutes } from './resources/customer-addresses/routes.ts';
import { customerBulkRoutes } from './resources/customer-bulk/routes.ts';
import { customerDeletionRoutes } from './resources/customer-deletion/routes.ts';
import { recordVersions as customerFileVersions } from './resources/customer-files/domain.ts';
import { customerFilesRoutes } from './resources/customer-files/routes.ts';
import { recordVersions as noteVersions } from './resources/customer-notes/domain.ts';
import { customerNotesRoutes } from './resources/customer-notes/routes.ts';
import { recordVersions as customerVersions } from './resources/customers/domain.ts';
import { customersRoutes } from './resources/customers/routes.ts';
import { dashboardRoutes } from './resources/dashboard/routes.ts';
import { requirePasskeys } from './resources/decisions/policy.ts';
import { decisionsRoutes } from './resources/decisions/routes.ts';
import { recordVersions as discountGroupVersions } from './resources/discount-groups/domain.ts';
import { discountGroupsRoutes } from './resources/discount-groups/routes.ts';
import { recordVersions as fileVersions } from './resources/files/domain.ts';
import { filesRoutes } from './resources/files/routes.ts';
import { recordVersions as inquiryVersions } from './resources/inquiries/domain.ts';
import { inquiriesRoutes } from './resources/inquiries/routes.ts';
import { logsRoutes } from './resources/logs/routes.ts';
import { recordVersions as mailVersions, makeWaitingMailsDue } from './resources/mail/domain.ts';
import { mailRoutes } from './resources/mail/routes.ts';
import { recordVersions as mediaVersions } from './resources/media/domain.ts';
import { mediaRoutes } from './resources/media/routes.ts';
import { recordVersions as notificationVersions } from './resources/notifications/domain.ts';
import { notificationsRoutes } from './resources/notifications/routes.ts';
import { recordVersions as agentRequestVersions } from './resources/oauth/domain.ts';
import { oauthRoutes } from './resources/oauth/routes.ts';
import { orderEditsRoutes } from './resources/order-edits/routes.ts';
import { orderListsRoutes } from './resources/order-lists/routes.ts';
import { recordVersions as orderStatusVersions } from './resources/order-statuses/domain.ts';
import { orderStatusesRoutes } from './resources/order-statuses/routes.ts';
import { recordVersions as orderVersions } from './resources/orders/domain.ts';
import { ordersRoutes } from './resources/orders/routes.ts';
import { recordVersions as pageVersions } from './resources/pages/domain.ts';
import { clearOgImage } from './resources/pages/og-images.ts';
import { pagesRoutes } from './resources/pages/routes.ts';
import { recordVersions as passkeyVersions } from './resources/passkeys/own.ts';
import { passkeysRoutes } from './resources/passkeys/routes.ts';
import { sessionsRoutes } from './resources/passkeys/session-routes.ts';
import { recordVersions as sessionVersions } from './resources/passkeys/sessions.ts';
import { recordVersions as paymentVersions } from './resources/payments/domain.ts';
import { paymentsRoutes } from './resources/payments/routes.ts';
import { phoneOrdersRoutes } from './resources/phone-orders/routes.ts';
import { recordVersions as pickupLocationVersions } from './resources/pickup-locations/domain.ts';
import { pickupLocationsRoutes } from './resources/pickup-locations/routes.ts';
import { recordVersions as policyChangeVersions } from './resources/policy-changes/domain.ts';
import { policyChangesRoutes } from './resources/policy-changes/routes.ts';
import { recordVersions as preferenceVersions } from './resources/preferences/domain.ts';
import { preferencesRoutes } from './resources/preferences/routes.ts';
import { recordVersions as productVersions } from './resources/products/domain.ts';
import { productsRoutes } from './resources/products/routes.ts';
import { replay } from './resources/provider-events/domain.ts';
import { recordVersions as roleVersions } from './resources/roles/domain.ts';
import { rolesRoutes } from './resources/roles/routes.ts';
import { recordVersions as settingsVersions } from './resources/settings/domain.ts';
import { settingsRoutes } from './resources/settings/routes.ts';
import { recordVersions as shipmentVersions } from './resources/shipments/domain.ts';
import { shipmentsRoutes } from './resources/shipments/routes.ts';
import { recordVersions as shippingMethodVersions } from './resources/shipping-methods/domain.ts';
import { shippingMethodsRoutes } from './resources/shipping-methods/routes.ts';
import { recordVersions as invitationVersions } from './resources/sign-in/invitations.ts';
import { decisionsChanged, personsChanged } from './resources/sign-in/policy.ts';
import { signInRoutes } from './resources/sign-in/routes.ts';
import { recordVersions as subscriptionVersions } from './resources/subscriptions/domain.ts';
import { subscriptionsRoutes } from './resources/subscriptions/routes.ts';
import { recordVersions as taxRateVersions } from './resources/tax-rates/domain.ts';
import { taxRatesRoutes } from './resources/tax-rates/routes.ts';
import { recordVersions as themeVersions } from './resources/themes/domain.ts';
import { themesRoutes } from './resources/themes/routes.ts';
import { templatesRoutes } from './resources/themes/template-routes.ts';
import { recordVersions as templateVersions } from './resources/themes/templates.ts';
import { timelinesRoutes } from './resources/timelines/routes.ts';
import { recordVersions as agentVersions } from './resources/tokens/agents.ts';
import { recordVersions as tokenVersions } from './resources/tokens/own.ts';
import { recordVersions as viewVersions } from './resources/views/domain.ts';
import { viewsRoutes } from './resources/views/routes.ts';
import { recordVersions as voucherVersions } from './resources/vouchers/domain.ts';
import { vouchersRoutes } from './resources/vouchers/routes.ts';
import { recordVersions as webhookVersions } from './resources/webhooks/domain.ts';
import { webhooksRoutes } from './resources/webhooks/routes.ts';
import type { RecordVersions } from './verbs/record-versions.ts';
import type { Routes } from './verbs/route.ts';

/** The route behind every endpoint of the admin API. */
export const routes: Routes = {
  ...accessGroupsRoutes,
  ...adminsRoutes,
  ...rolesRoutes,
  ...signInRoutes,
  ...passkeysRoutes(requirePasskeys),
  ...sessionsRoutes,
  ...artifactsRoutes,
  ...auditLogRoutes,
  ...changesRoutes,
  ...commentsRoutes,
  ...creditsRoutes,
  ...customerAddressesRoutes,
  ...customerDeletionRoutes,
  ...customerFilesRoutes,
  ...customerNotesRoutes,
  ...customerBulkRoutes,
  ...customersRoutes,
  ...dashboardRoutes,
  ...inquiriesRoutes,
  ...logsRoutes,
  ...notificationsRoutes,
  ...oauthRoutes,
  ...mailRoutes,
  ...taskMailRoutes,
  ...taskStartRoutes,
  ...filesRoutes,
  ...mediaRoutes(clearOgImage),
  ...pagesRoutes,
  ...themesRoutes,
  ...timelinesRoutes,
  ...templatesRoutes,
  ...orderEditsRoutes,
  ...orderStatusesRoutes,
  ...discountGroupsRoutes,
  ...pickupLocationsRoutes,
  ...shippingMethodsRoutes,
  ...taxRatesRoutes,
  ...viewsRoutes,
  ...vouchersRoutes,
  ...orderListsRoutes,
  ...ordersRoutes,
  ...preferencesRoutes,
  ...paymentsRoutes,
  ...phoneOrdersRoutes,
  ...productsRoutes,
  ...decisionsRoutes,
  ...policyChangesRoutes,
  ...settingsRoutes({
    smtp: makeWaitingMailsDue,
    decisions: decisionsChanged,
    ...{ four_eyes: personsChanged, policy_four_eyes: personsChanged },
    public_url: requirePasskeys,
  }),
  ...shipmentsRoutes,
  ...subscriptionsRoutes(replay),
  ...taskRoutes({ deleted: forgetThreads, claimThread }),
  ...taskStateRoutes,
  ...secretsRoutes,
  ...variablesRoutes,
  ...schedulesRoutes,
  ...triggersRoutes,
  ...gatheredStartsRoutes,
  ...hooksRoutes,
  ...approvalRoutes,
  ...versionCommentRoutes,
  ...webhooksRoutes,
  ...runRoutes,
  ...runBulkRoutes,
  ...taskExampleRoutes,
  ...undoRoutes,
  ...replayRoutes,
  ...runPromptsRoutes,
  ...runWaitsRoutes,
  ...runnerRoutes,
  ...llmRoutes,
  ...outgoingRoutes,
  ...runFilesRoutes,
  ...assistantRoutes,
};

/** How the row version of each kind of record is found. */
export const recordVersions = {
  ...accessGroupVersions,
  ...adminVersions,
  ...roleVersions,
  ...invitationVersions,
  ...policyChangeVersions,
  ...artifactVersions,
  ...auditVersions,
  ...noteVersions,
  ...commentVersions,
  ...addressVersions,
  ...customerFileVersions,
  ...customerVersions,
  ...inquiryVersions,
  ...notificationVersions,
  ...mailVersions,
  ...fileVersions,
  ...mediaVersions,
  ...pageVersions,
  ...themeVersions,
  ...templateVersions,
  ...orderStatusVersions,
  ...discountGroupVersions,
  ...pickupLocationVersions,
  ...shippingMethodVersions,
  ...taxRateVersions,
  ...viewVersions,
  ...voucherVersions,
  ...orderVersions,
  ...preferenceVersions,
  ...paymentVersions,
  ...productVersions,
  ...settingsVersions,
  ...shipmentVersions,
  ...subscriptionVersions,
  ...taskVersions,
  ...versionCommentVersions,
  ...taskExampleVersions,
  ...taskStateVersions,
  ...secretVersions,
  ...variableVersions,
  ...scheduleVersions,
  ...triggerVersions,
  ...hookVersions,
  ...tokenVersions,
  ...passkeyVersions,
  ...sessionVersions,
  ...agentVersions,
  ...agentRequestVersions,
  ...webhookVersions,
  ...runVersions,
  ...errorVersions,
  ...promptVersions,
  ...assistantVersions,
} satisfies Required<RecordVersions>;
