import { approvalRoutes } from '../automation/approvals/routes.ts';
import { recordVersions as artifactVersions } from '../automation/artifacts/domain.ts';
import { artifactsRoutes } from '../automation/artifacts/routes.ts';
import { dryRunRoutes } from '../automation/dry-runs/routes.ts';
import { recordVersions as hookVersions } from '../automation/hooks/domain.ts';
import { hooksRoutes } from '../automation/hooks/routes.ts';
import { llmRoutes } from '../automation/llm/routes.ts';
import { outgoingRoutes } from '../automation/outgoing/routes.ts';
import { replayRoutes } from '../automation/replays/routes.ts';
import { runBulkRoutes } from '../automation/run-bulk/routes.ts';
import { runFilesRoutes } from '../automation/run-files/routes.ts';
import { recordVersions as promptVersions } from '../automation/run-prompts/domain.ts';
import { runPromptsRoutes } from '../automation/run-prompts/routes.ts';
import { runnerRoutes } from '../automation/runner/routes.ts';
import { runVersions } from '../automation/runs/read.ts';
import { runRoutes } from '../automation/runs/routes.ts';
import { recordVersions as scheduleVersions } from '../automation/schedules/domain.ts';
import { schedulesRoutes } from '../automation/schedules/routes.ts';
import { recordVersions as secretVersions } from '../automation/secrets/domain.ts';
import { secretsRoutes } from '../automation/secrets/routes.ts';
import { taskMailRoutes } from '../automation/task-mails/routes.ts';
import { taskStartRoutes } from '../automation/task-starts/routes.ts';
import { recordVersions as taskStateVersions } from '../automation/task-state/domain.ts';
import { taskStateRoutes } from '../automation/task-state/routes.ts';
import { taskVersions } from '../automation/tasks/domain.ts';
import { taskRoutes } from '../automation/tasks/routes.ts';
import { recordVersions as triggerVersions } from '../automation/triggers/domain.ts';
import { triggersRoutes } from '../automation/triggers/routes.ts';
import { recordVersions as variableVersions } from '../automation/variables/domain.ts';
import { variablesRoutes } from '../automation/variables/routes.ts';
import type { RecordVersions } from '../verbs/record-versions.ts';
import type { Routes } from '../verbs/route.ts';
import { recordVersions as accessGroupVersions } from './access-groups/domain.ts';
import { accessGroupsRoutes } from './access-groups/routes.ts';
import { recordVersions as adminVersions } from './admins/domain.ts';
import { adminsRoutes } from './admins/routes.ts';
import { auditLogRoutes } from './audit/routes.ts';
import { changesRoutes } from './changes/routes.ts';
import { creditsRoutes } from './credits/routes.ts';
import { recordVersions as addressVersions } from './customer-addresses/domain.ts';
import { customerAddressesRoutes } from './customer-addresses/routes.ts';
import { customerDeletionRoutes } from './customer-deletion/routes.ts';
import { recordVersions as customerFileVersions } from './customer-files/domain.ts';
import { customerFilesRoutes } from './customer-files/routes.ts';
import { recordVersions as noteVersions } from './customer-notes/domain.ts';
import { customerNotesRoutes } from './customer-notes/routes.ts';
import { recordVersions as customerVersions } from './customers/domain.ts';
import { customersRoutes } from './customers/routes.ts';
import { dashboardRoutes } from './dashboard/routes.ts';
import { recordVersions as discountGroupVersions } from './discount-groups/domain.ts';
import { discountGroupsRoutes } from './discount-groups/routes.ts';
import { recordVersions as fileVersions } from './files/domain.ts';
import { filesRoutes } from './files/routes.ts';
import { recordVersions as inquiryVersions } from './inquiries/domain.ts';
import { inquiriesRoutes } from './inquiries/routes.ts';
import { logsRoutes } from './logs/routes.ts';
import { recordVersions as mailVersions, makeWaitingMailsDue } from './mail/domain.ts';
import { mailRoutes } from './mail/routes.ts';
import { recordVersions as mediaVersions } from './media/domain.ts';
import { mediaRoutes } from './media/routes.ts';
import { recordVersions as notificationVersions } from './notifications/domain.ts';
import { notificationsRoutes } from './notifications/routes.ts';
import { orderEditsRoutes } from './order-edits/routes.ts';
import { orderListsRoutes } from './order-lists/routes.ts';
import { recordVersions as orderStatusVersions } from './order-statuses/domain.ts';
import { orderStatusesRoutes } from './order-statuses/routes.ts';
import { recordVersions as orderVersions } from './orders/domain.ts';
import { ordersRoutes } from './orders/routes.ts';
import { recordVersions as pageVersions } from './pages/domain.ts';
import { clearOgImage } from './pages/og-images.ts';
import { pagesRoutes } from './pages/routes.ts';
import { recordVersions as paymentVersions } from './payments/domain.ts';
import { paymentsRoutes } from './payments/routes.ts';
import { phoneOrdersRoutes } from './phone-orders/routes.ts';
import { recordVersions as pickupLocationVersions } from './pickup-locations/domain.ts';
import { pickupLocationsRoutes } from './pickup-locations/routes.ts';
import { recordVersions as preferenceVersions } from './preferences/domain.ts';
import { preferencesRoutes } from './preferences/routes.ts';
import { recordVersions as productVersions } from './products/domain.ts';
import { productsRoutes } from './products/routes.ts';
import { replay } from './provider-events/domain.ts';
import { recordVersions as settingsVersions } from './settings/domain.ts';
import { settingsRoutes } from './settings/routes.ts';
import { recordVersions as shipmentVersions } from './shipments/domain.ts';
import { shipmentsRoutes } from './shipments/routes.ts';
import { recordVersions as shippingMethodVersions } from './shipping-methods/domain.ts';
import { shippingMethodsRoutes } from './shipping-methods/routes.ts';
import { recordVersions as subscriptionVersions } from './subscriptions/domain.ts';
import { subscriptionsRoutes } from './subscriptions/routes.ts';
import { recordVersions as taxRateVersions } from './tax-rates/domain.ts';
import { taxRatesRoutes } from './tax-rates/routes.ts';
import { recordVersions as themeVersions } from './themes/domain.ts';
import { themesRoutes } from './themes/routes.ts';
import { templatesRoutes } from './themes/template-routes.ts';
import { recordVersions as templateVersions } from './themes/templates.ts';
import { recordVersions as tokenVersions } from './tokens/own.ts';
import { recordVersions as viewVersions } from './views/domain.ts';
import { viewsRoutes } from './views/routes.ts';
import { recordVersions as voucherVersions } from './vouchers/domain.ts';
import { vouchersRoutes } from './vouchers/routes.ts';
import { recordVersions as webhookVersions } from './webhooks/domain.ts';
import { webhooksRoutes } from './webhooks/routes.ts';

/** The route behind every endpoint of the admin API. */
export const routes: Routes = {
  ...accessGroupsRoutes,
  ...adminsRoutes,
  ...artifactsRoutes,
  ...auditLogRoutes,
  ...changesRoutes,
  ...creditsRoutes,
  ...customerAddressesRoutes,
  ...customerDeletionRoutes,
  ...customerFilesRoutes,
  ...customerNotesRoutes,
  ...customersRoutes,
  ...dashboardRoutes,
  ...inquiriesRoutes,
  ...logsRoutes,
  ...notificationsRoutes,
  ...mailRoutes,
  ...taskMailRoutes,
  ...taskStartRoutes,
  ...filesRoutes,
  ...mediaRoutes(clearOgImage),
  ...pagesRoutes,
  ...themesRoutes,
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
  ...settingsRoutes({ smtp: makeWaitingMailsDue }),
  ...shipmentsRoutes,
  ...subscriptionsRoutes(replay),
  ...taskRoutes,
  ...taskStateRoutes,
  ...secretsRoutes,
  ...variablesRoutes,
  ...schedulesRoutes,
  ...triggersRoutes,
  ...hooksRoutes,
  ...approvalRoutes,
  ...webhooksRoutes,
  ...runRoutes,
  ...runBulkRoutes,
  ...dryRunRoutes,
  ...replayRoutes,
  ...runPromptsRoutes,
  ...runnerRoutes,
  ...llmRoutes,
  ...outgoingRoutes,
  ...runFilesRoutes,
};

/** How the row version of each kind of record is found. */
export const recordVersions = {
  ...accessGroupVersions,
  ...adminVersions,
  ...artifactVersions,
  ...noteVersions,
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
  ...taskStateVersions,
  ...secretVersions,
  ...variableVersions,
  ...scheduleVersions,
  ...triggerVersions,
  ...hookVersions,
  ...tokenVersions,
  ...webhookVersions,
  ...runVersions,
  ...promptVersions,
} satisfies Required<RecordVersions>;
