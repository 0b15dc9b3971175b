import { TemplateSource } from '../../contract/pages.ts';
import { approvalRoutes } from '../automation/approvals/routes.ts';
import { artifactUpload, recordVersions as artifactVersions } from '../automation/artifacts/domain.ts';
import { artifactsContents, artifactsRoutes } from '../automation/artifacts/routes.ts';
import { dryRunPerforming } from '../automation/dry-runs/routes.ts';
import { llmSamples, llmSteps } from '../automation/llm/routes.ts';
import { replayRoutes } from '../automation/replays/routes.ts';
import { runFilesContents } from '../automation/run-files/routes.ts';
import { recordVersions as promptVersions } from '../automation/run-prompts/domain.ts';
import { runPromptsRoutes } from '../automation/run-prompts/routes.ts';
import { runnerDirect, runnerRoutes } from '../automation/runner/routes.ts';
import { endSpentRun } from '../automation/runs/budgets.ts';
import type { Ending } from '../automation/runs/end.ts';
import { runVersions } from '../automation/runs/read.ts';
import { runRoutes } from '../automation/runs/routes.ts';
import { streamRuns } from '../automation/runs/stream.ts';
import { recordVersions as scheduleVersions } from '../automation/schedules/domain.ts';
import { schedulesRoutes } from '../automation/schedules/routes.ts';
import { taskVersions } from '../automation/tasks/domain.ts';
import { taskRoutes } from '../automation/tasks/routes.ts';
import { recordVersions as triggerVersions } from '../automation/triggers/domain.ts';
import { triggersRoutes } from '../automation/triggers/routes.ts';
import type { Resources } from '../http/pipeline.ts';
import type { SchemaChecker } from '../json-schema/check.ts';
import { createStripe } from '../providers/payments/stripe.ts';
import { isPrivateHost } from '../providers/webhooks/addresses.ts';
import type { Services } from '../services.ts';
import type { SourceChecker } from '../source-check/check.ts';
import type { TemplateRenderer } from '../templates/renderer.ts';
import { recordVersions as accessGroupVersions } from './access-groups/domain.ts';
import { accessGroupsRoutes, heavyAccessGroups } from './access-groups/routes.ts';
import { recordVersions as adminVersions } from './admins/domain.ts';
import { adminsRoutes } from './admins/routes.ts';
import { auditLogRoutes } from './audit/routes.ts';
import { creditsRoutes } from './credits/routes.ts';
import { recordVersions as addressVersions } from './customer-addresses/domain.ts';
import { customerAddressesRoutes } from './customer-addresses/routes.ts';
import { customerDeletionRoutes } from './customer-deletion/routes.ts';
import { customerFileUpload, recordVersions as customerFileVersions } from './customer-files/domain.ts';
import { customerFilesContents, customerFilesRoutes } from './customer-files/routes.ts';
import { recordVersions as noteVersions } from './customer-notes/domain.ts';
import { customerNotesRoutes } from './customer-notes/routes.ts';
import { recordVersions as customerVersions } from './customers/domain.ts';
import { customersRoutes, heavyCustomers } from './customers/routes.ts';
import { dashboardRoutes, heavyDashboard } from './dashboard/routes.ts';
import { recordVersions as discountGroupVersions } from './discount-groups/domain.ts';
import { discountGroupsRoutes } from './discount-groups/routes.ts';
import { filesUpload, recordVersions as fileVersions } from './files/domain.ts';
import { filesContents, filesRoutes } from './files/routes.ts';
import { recordVersions as inquiryVersions } from './inquiries/domain.ts';
import { inquiriesRoutes } from './inquiries/routes.ts';
import { logsRoutes } from './logs/routes.ts';
import { hastenMails, recordVersions as mailVersions } from './mail/domain.ts';
import { mailRoutes } from './mail/routes.ts';
import { mediaUpload, recordVersions as mediaVersions } from './media/domain.ts';
import { mediaRoutes } from './media/routes.ts';
import { recordVersions as notificationVersions } from './notifications/domain.ts';
import { notificationsRoutes } from './notifications/routes.ts';
import { orderEditsRoutes } from './order-edits/routes.ts';
import { heavyOrderLists, orderListsRoutes } from './order-lists/routes.ts';
import { recordVersions as orderStatusVersions } from './order-statuses/domain.ts';
import { orderStatusesRoutes } from './order-statuses/routes.ts';
import { recordVersions as orderVersions } from './orders/domain.ts';
import { ordersRoutes } from './orders/routes.ts';
import { recordVersions as pageVersions } from './pages/domain.ts';
import { clearOgImage } from './pages/og-images.ts';
import { pagesContents, pagesRoutes } from './pages/routes.ts';
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
import { receiveFrom } from './provider-events/receive.ts';
import { publicPages } from './public-pages.ts';
import { settingsRoutes, settingsVersions } from './settings/routes.ts';
import { recordVersions as shipmentVersions } from './shipments/domain.ts';
import { shipmentsInside, shipmentsRoutes, shipmentsSamples, shipmentsSteps } from './shipments/routes.ts';
import { recordVersions as shippingMethodVersions } from './shipping-methods/domain.ts';
import { shippingMethodsRoutes } from './shipping-methods/routes.ts';
import { recordVersions as subscriptionVersions } from './subscriptions/domain.ts';
import { subscriptionsInside, subscriptionsRoutes, subscriptionsSteps } from './subscriptions/routes.ts';
import { recordVersions as taxRateVersions } from './tax-rates/domain.ts';
import { taxRatesRoutes } from './tax-rates/routes.ts';
import { recordVersions as themeVersions } from './themes/domain.ts';
import { themesRoutes } from './themes/routes.ts';
import { templatesRoutes } from './themes/template-routes.ts';
import { recordVersions as templateVersions } from './themes/templates.ts';
import { recordVersions as tokenVersions } from './tokens/own.ts';
import { recordVersions as voucherVersions } from './vouchers/domain.ts';
import { vouchersRoutes } from './vouchers/routes.ts';
import { recordVersions as webhookVersions } from './webhooks/domain.ts';
import { webhooksRoutes } from './webhooks/routes.ts';

/** All that the admin API does: the verbs of every resource, and how each kind of record is found. */
export function assembleResources(
  services: Services,
  ending: Ending,
  checker: SourceChecker,
  renderer: TemplateRenderer,
  schemas: SchemaChecker,
): Resources {
  const prepareSource = async ({ source_code: source }: Record<string, unknown>) => ({
    warnings: typeof source === 'string' ? await checker.check(source) : [],
  });
  const prepareTemplate = async ({ content }: Record<string, unknown>) => {
    const { success: isTemplate, data: source = '' } = TemplateSource.safeParse(content);
    const faults = isTemplate ? await renderer.check(source) : [];
    return { warnings: faults.map(({ line, column, message }) => ({ line, column, message })) };
  };
  const stripe = createStripe(services.config);
  return {
    prepare: {
      'ai_tasks.create': prepareSource,
      'ai_tasks.create_version': prepareSource,
      'pages.update': prepareTemplate,
      'themes.save_template': prepareTemplate,
    },
    handlers: {
      ...accessGroupsRoutes,
      ...adminsRoutes(services),
      ...artifactsRoutes(services),
      ...auditLogRoutes,
      ...creditsRoutes,
      ...customerAddressesRoutes,
      ...customerDeletionRoutes(services),
      ...customerFilesRoutes(services),
      ...customerNotesRoutes,
      ...customersRoutes,
      ...dashboardRoutes,
      ...inquiriesRoutes,
      ...logsRoutes,
      ...notificationsRoutes,
      ...mailRoutes,
      ...filesRoutes(services),
      ...mediaRoutes(services, clearOgImage),
      ...pagesRoutes,
      ...themesRoutes,
      ...templatesRoutes,
      ...orderEditsRoutes,
      ...orderStatusesRoutes,
      ...discountGroupsRoutes,
      ...pickupLocationsRoutes,
      ...shippingMethodsRoutes,
      ...taxRatesRoutes,
      ...vouchersRoutes,
      ...orderListsRoutes,
      ...ordersRoutes,
      ...preferencesRoutes,
      ...paymentsRoutes,
      ...phoneOrdersRoutes,
      ...productsRoutes,
      ...settingsRoutes(services, { smtp: hastenMails }),
      ...shipmentsRoutes(services.couriers),
      ...subscriptionsRoutes(stripe, replay),
      ...taskRoutes,
      ...schedulesRoutes,
      ...triggersRoutes,
      ...approvalRoutes(ending),
      ...webhooksRoutes((url) => !services.config.allowPrivateWebhooks && isPrivateHost(url)),
      ...runRoutes(services, ending),
      ...replayRoutes(services),
      ...runPromptsRoutes(ending),
      ...runnerRoutes,
    },
    performing: dryRunPerforming,
    heavy: { ...heavyAccessGroups, ...heavyCustomers, ...heavyDashboard, ...heavyOrderLists },
    steps: {
      ...shipmentsSteps(services.couriers),
      ...subscriptionsSteps(stripe),
      ...llmSteps(services.llm, schemas),
    },
    inside: { ...shipmentsInside(services.couriers), ...subscriptionsInside(stripe) },
    samples: { ...llmSamples, ...shipmentsSamples },
    uploads: {
      'customers.upload_file': customerFileUpload,
      'files.create': filesUpload,
      'media.create': mediaUpload,
      'runner.write_artifact': artifactUpload,
    },
    contents: {
      ...artifactsContents(services),
      ...customerFilesContents(services),
      ...filesContents(services),
      ...pagesContents(services, renderer),
      ...runFilesContents(services),
    },
    publicPages: publicPages(services),
    endSpent: endSpentRun(services, ending),
    direct: runnerDirect(services),
    streams: streamRuns(services),
    webhooks: { [stripe.name]: receiveFrom(stripe, services) },
    versions: {
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
      ...voucherVersions,
      ...orderVersions,
      ...preferenceVersions,
      ...paymentVersions,
      ...productVersions,
      ...settingsVersions(services),
      ...shipmentVersions,
      ...subscriptionVersions,
      ...taskVersions,
      ...scheduleVersions,
      ...triggerVersions,
      ...tokenVersions,
      ...webhookVersions,
      ...runVersions,
      ...promptVersions,
    },
  };
}
