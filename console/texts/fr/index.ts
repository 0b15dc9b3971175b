import type { Translations } from '../../language/translations.ts';
import { accessGroups } from './access-groups.ts';
import { activity } from './activity.ts';
import { app } from './app.ts';
import { approvals } from './approvals.ts';
import { assistant } from './assistant.ts';
import { connect } from './connect.ts';
import { customers } from './customers.ts';
import { decisions } from './decisions.ts';
import { editor } from './editor.ts';
import { empty } from './empty.ts';
import { errors } from './errors.ts';
import { events } from './events.ts';
import { examples } from './examples.ts';
import { firstSteps } from './first-steps.ts';
import { gathering } from './gathering.ts';
import { health } from './health.ts';
import { hooks } from './hooks.ts';
import { inquiries } from './inquiries.ts';
import { join } from './join.ts';
import { kinds } from './kinds.ts';
import { library } from './library.ts';
import { listActs } from './list-acts.ts';
import { mail } from './mail.ts';
import { news } from './news.ts';
import { order } from './order.ts';
import { orderCalendar } from './order-calendar.ts';
import { orderPayments } from './order-payments.ts';
import { orderShipments } from './order-shipments.ts';
import { orderStatus } from './order-status.ts';
import { orders } from './orders.ts';
import { overview } from './overview.ts';
import { pages } from './pages.ts';
import { passkeys } from './passkeys.ts';
import { people } from './people.ts';
import { permissions } from './permissions.ts';
import { phoneOrder } from './phone-order.ts';
import { productBulk } from './product-bulk.ts';
import { products } from './products.ts';
import { refusals } from './refusals.ts';
import { review } from './review.ts';
import { runBulk } from './run-bulk.ts';
import { runParts } from './run-parts.ts';
import { runs } from './runs.ts';
import { secrets } from './secrets.ts';
import { settings } from './settings.ts';
import { subscriptions } from './subscriptions.ts';
import { tasks } from './tasks.ts';
import { themes } from './themes.ts';
import { timeline } from './timeline.ts';
import { undo } from './undo.ts';
import { undoEntry } from './undo-entry.ts';
import { visual } from './visual.ts';

const fr: Translations = {
  accessGroups,
  activity,
  app,
  approvals,
  assistant,
  connect,
  customers,
  decisions,
  editor,
  empty,
  errors,
  events,
  examples,
  firstSteps,
  gathering,
  health,
  hooks,
  inquiries,
  join,
  kinds,
  library,
  listActs,
  mail,
  news,
  order,
  orderCalendar,
  orderPayments,
  orderShipments,
  orderStatus,
  orders,
  overview,
  pages,
  passkeys,
  people,
  permissions,
  phoneOrder,
  productBulk,
  products,
  refusals,
  review,
  runBulk,
  runParts,
  runs,
  secrets,
  settings,
  subscriptions,
  tasks,
  themes,
  timeline,
  undo,
  undoEntry,
  visual,
};

export default fr;
