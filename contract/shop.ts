import { accessGroupsEndpoints } from './access-groups.ts';
import { commentsEndpoints } from './comments.ts';
import { customerBulkEndpoints } from './customer-bulk.ts';
import { customerCreditsEndpoints } from './customer-credits.ts';
import { customerFilesEndpoints } from './customer-files.ts';
import { customerWritesEndpoints } from './customer-writes.ts';
import { customersEndpoints } from './customers.ts';
import { dashboardEndpoints } from './dashboard.ts';
import { discountGroupsEndpoints } from './discount-groups.ts';
import { filesEndpoints } from './files.ts';
import { inquiriesEndpoints } from './inquiries.ts';
import { logsEndpoints } from './logs.ts';
import { mediaEndpoints } from './media.ts';
import { notificationsEndpoints } from './notifications.ts';
import { orderEditsEndpoints } from './order-edits.ts';
import { orderStatusesEndpoints } from './order-statuses.ts';
import { ordersEndpoints } from './orders.ts';
import { pagesEndpoints } from './pages.ts';
import { paymentsEndpoints } from './payments.ts';
import { pickupLocationsEndpoints } from './pickup-locations.ts';
import { productBulkEndpoints } from './product-bulk.ts';
import { productsEndpoints } from './products.ts';
import { shipmentsEndpoints } from './shipments.ts';
import { shippingMethodsEndpoints } from './shipping-methods.ts';
import { subscriptionsEndpoints } from './subscriptions.ts';
import { taxRatesEndpoints } from './tax-rates.ts';
import { themesEndpoints } from './themes.ts';
import { timelineEndpoints } from './timeline.ts';
import { vouchersEndpoints } from './vouchers.ts';

/** The endpoints of the shop's resources: the ones for which a task can be granted permissions (spec TK5). */
export const shopEndpoints = {
  ...pagesEndpoints,
  ...accessGroupsEndpoints,
  ...ordersEndpoints,
  ...shipmentsEndpoints,
  ...orderEditsEndpoints,
  ...paymentsEndpoints,
  ...commentsEndpoints,
  ...customersEndpoints,
  ...customerWritesEndpoints,
  ...customerFilesEndpoints,
  ...customerBulkEndpoints,
  ...customerCreditsEndpoints,
  ...notificationsEndpoints,
  ...logsEndpoints,
  ...dashboardEndpoints,
  ...subscriptionsEndpoints,
  ...productsEndpoints,
  ...productBulkEndpoints,
  ...orderStatusesEndpoints,
  ...vouchersEndpoints,
  ...discountGroupsEndpoints,
  ...pickupLocationsEndpoints,
  ...shippingMethodsEndpoints,
  ...taxRatesEndpoints,
  ...themesEndpoints,
  ...mediaEndpoints,
  ...filesEndpoints,
  ...inquiriesEndpoints,
  ...timelineEndpoints,
} as const;
