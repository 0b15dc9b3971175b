/** What a query parameter of this name means wherever its declaration says nothing of its own. */
const parameterWords: Readonly<Record<string, string>> = {
  action: 'Only this action',
  active: 'Only those that are active, or that are not',
  actor_id: 'Only the acts of this admin',
  after: 'Only what comes after this id',
  answered: 'Only those with an answer, or without',
  before_id: 'Only what is older than this id',
  clear: 'Whether what depends on it ends with it',
  count: 'How many',
  created_from: 'From this day on',
  created_to: 'Up to this day and with it',
  cursor: '`next_cursor` of the page before; not together with `page`',
  customer_id: 'Only those of this customer',
  days: 'How many days, today included',
  include_deleted: 'Whether deleted ones are listed too',
  include_test: 'Whether test orders are listed too',
  length: 'How many bytes at most',
  limit: 'How many at most',
  locale: 'In this language',
  offset: 'How many are passed over',
  payment_status: 'Only those with this payment status',
  per_page: 'How many on a page',
  product_id: 'Only those of this product',
  registered: 'Only those with an account, or without',
  resource_id: 'Only what was done to the record with this id',
  resource_type: 'Only what was done to records of this kind',
  search: 'Only those in whose text this occurs, whatever its case',
  sort: 'By what the list is sorted; `-` before it: descending',
  source: 'Only what came this way',
  status: 'Only those with this status',
  test_only: 'Only test orders',
  total_max: 'Only those of this total or less, a decimal amount',
  total_min: 'Only those of this total or more, a decimal amount',
};

type Parameter = { name?: unknown; description?: unknown };
type Document = { paths?: Record<string, Record<string, { parameters?: Parameter[] }>> };

/** Puts the words where none are. */
export function explainParameters<T extends object>(document: T): T {
  const { paths = {} }: Document = document;
  for (const operation of Object.values(paths).flatMap((item) => Object.values(item))) {
    for (const parameter of operation.parameters ?? []) {
      const words = parameterWords[String(parameter.name)];
      if (words !== undefined) parameter.description ??= words;
    }
  }
  return document;
}
