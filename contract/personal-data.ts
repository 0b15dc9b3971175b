import type { Endpoint } from './endpoint.ts';

/** What an agent that may not see personal data gets of an answer: the same shape, with texts about people hidden. */

/** Resources whose records say nothing about customers. A resource that is not here is taken for one that does. */
const ABOUT_NOBODY = new Set([
  ...['products', 'pages', 'themes', 'media', 'shipping_methods', 'tax_rates', 'vouchers', 'discount_groups', 'pickup_locations'],
  // What runs have said is withheld as a whole where they may have read about people.
  ...['order_statuses', 'ai_tasks', 'task_secrets', 'task_variables'],
]);

/** Fields of other resources whose texts are the shop's own. A field that is not here is taken for personal. */
const ABOUT_THE_SHOP = new Set([
  ...['status', 'payment_status', 'resulting_status', 'resulting_payment_status', 'payment_progress', 'answer_mail', 'kind', 'type'],
  ...['billing_interval', 'cancellation_policy', 'edit_source', 'source', 'events', 'address_type', 'action', 'method', 'template'],
  ...['currency', 'country', 'shipping_country', 'shipping_method', 'payment_provider', 'provider', 'courier_id', 'courier_name'],
  ...['product_name', 'product_sku', 'product_slug', 'variant_label', 'voucher_code', 'pickup_location_name', 'public_id', 'sku'],
  ...['initial_order_public_id', 'group_name', 'group_slug', 'field_name', 'content_type', 'delivery_estimate', 'amount_paid'],
  ...['amount_total', 'unit_amount', 'changes_cursor', 'next_cursor', 'code'],
]);
/** The names of groups are the shop's, those of customers are not. */
const OF_GROUPS = new Set(['name', 'title', 'description', 'slug']);

const isAboutTheShop = (field: string): boolean => ABOUT_THE_SHOP.has(field);
const isNever = (): boolean => false;

const DATE = /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:\d{2}))?$/;

/** Gives what stands in place of a text. */
export type Mask = (text: string, field: string) => string;

/** Whether whoever holds this permission may read about people by it. */
export function readsAboutPeople(permission: string | null | undefined): boolean {
  const resource = /^admin_api\.(.+)\.\w+$/.exec(permission ?? '')?.[1];
  return resource !== undefined && !ABOUT_NOBODY.has(resource);
}

/** Hides the personal texts in an answer of the endpoint. Numbers, dates and ids stay; empty texts do, too. */
export function withoutPersonalData(endpoint: Endpoint, answer: unknown, mask: Mask): unknown {
  const { permission, taskPermission = permission } = endpoint;
  // Whoever wrote the state of a task may have read about people then.
  if (taskPermission === 'task_state') return hidden(answer, '', isNever, mask);
  if (permission === 'admin_api.ai_tasks.read') return withoutGiven(withoutPeopleInChanges(answer, mask), mask);
  if (!readsAboutPeople(permission) && !readsAboutPeople(taskPermission)) return answer;
  const isOfGroups = permission?.startsWith('admin_api.access_groups.') === true;
  return hidden(answer, '', (field) => isAboutTheShop(field) || (isOfGroups && OF_GROUPS.has(field)), mask);
}

/** What a run changed was about people before, even where they were hidden from its script. */
function withoutPeopleInChanges(value: unknown, mask: Mask): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => withoutPeopleInChanges(item, mask));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]) => [
    name,
    name === 'changes'
      ? hidden(inner, '', isAboutTheShop, mask)
      : name === 'conflicts'
        ? withoutPeopleInConflicts(inner, mask)
        : withoutPeopleInChanges(inner, mask),
  ]);
  return Object.fromEntries(entries);
}

const OF_A_FIELD = new Set(['before', 'run', 'now']);

/** The values of a conflict are of the field that it names. */
function withoutPeopleInConflicts(conflicts: unknown, mask: Mask): unknown {
  if (!Array.isArray(conflicts)) return hidden(conflicts, '', isNever, mask);
  return conflicts.map((one: unknown) => {
    if (typeof one !== 'object' || one === null) return hidden(one, '', isNever, mask);
    const of = 'field' in one && typeof one.field === 'string' ? one.field : '';
    return Object.fromEntries(
      Object.entries(one).map(([name, inner]) => [name, OF_A_FIELD.has(name) ? hidden(inner, of, isAboutTheShop, mask) : inner]),
    );
  });
}

/** Leaves texts out that may be about people, whatever record has them. */
export function withoutTextsAboutPeople(changes: Record<string, unknown>): unknown {
  return hidden(changes, '', isAboutTheShop, () => '');
}

/** Hides the values that a person gave to the runs of a schedule, a trigger or a hook. */
function withoutGiven(value: unknown, mask: Mask): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => withoutGiven(item, mask));
  if (typeof value !== 'object' || value === null) return value;
  const parameters = 'parameters' in value ? value.parameters : null;
  if (typeof parameters !== 'object' || parameters === null || Array.isArray(parameters)) return value;
  return { ...value, parameters: hidden(parameters, '', isNever, mask) };
}

function hidden(value: unknown, field: string, isHarmless: (field: string) => boolean, mask: Mask): unknown {
  if (typeof value === 'string') return value === '' || isHarmless(field) || DATE.test(value) ? value : mask(value, field);
  if (Array.isArray(value)) return value.map((item: unknown) => hidden(item, field, isHarmless, mask));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, hidden(inner, name, isHarmless, mask)]));
}
