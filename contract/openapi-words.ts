/** Descriptions of query parameters by name, for parameters whose declaration has no description of its own. */
const parameterDescriptions: Readonly<Record<string, string>> = {
  action: 'Only entries of this action',
  active: '`true`: only active records; `false`: only inactive ones',
  actor_id: 'Only entries of what this admin did',
  after: 'Only entries after the one with this id',
  answered: '`true`: only answered inquiries; `false`: only unanswered ones',
  before_id: 'Only entries that are older than the one with this id',
  clear: 'Whether to delete also what depends on the record',
  count: 'Number of entries to return',
  created_from: 'Only records created on this day or later',
  created_to: 'Only records created on this day or earlier',
  cursor: '`next_cursor` of the previous page; not together with `page`',
  customer_id: 'Only records of this customer',
  days: 'Number of days, including today',
  include_deleted: 'Whether to list deleted tasks too',
  include_test: 'Whether to include test orders',
  length: 'Largest number of bytes to return',
  limit: 'Largest number of entries to return',
  locale: 'Language of the page',
  offset: 'Number of entries to skip',
  payment_status: 'Only orders with this payment status',
  per_page: 'Number of entries on a page',
  product_id: 'Only records of this product',
  registered: '`true`: only customers with an account; `false`: only those without',
  resource_id: 'Only entries about the record with this id; use with `resource_type`',
  resource_type: 'Only entries about records of this type',
  role_id: 'Only admins with this named role',
  screen: 'Only views of this screen',
  search: 'Only records that contain this text, ignoring upper and lower case',
  sort: 'Field to sort the list by; a leading `-` means descending',
  source: 'Only entries from this source',
  status: 'Only records with this status',
  task_id: 'Only what is about this task',
  test_only: 'Whether to list only test orders',
  total_max: 'Only orders whose total is this amount or less; a decimal number such as 19.99',
  total_min: 'Only orders whose total is this amount or more; a decimal number such as 19.99',
};

type Parameter = { name?: unknown; description?: unknown };
type Document = { paths?: Record<string, Record<string, { parameters?: Parameter[] }>> };

/** Adds a description to each parameter that has none. */
export function addParameterDescriptions<T extends object>(document: T): T {
  const { paths = {} }: Document = document;
  for (const operation of Object.values(paths).flatMap((item) => Object.values(item))) {
    for (const parameter of operation.parameters ?? []) {
      const words = parameterDescriptions[String(parameter.name)];
      if (words !== undefined) parameter.description ??= words;
    }
  }
  return document;
}
