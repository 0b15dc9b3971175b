import { type Change, type EvalCase, usualTurns } from '../case.ts';

const CODES = { 'ANNA-10': 1000, 'BEN-15': 1500, 'CLEO-20': 2000 };
const GUESTS = [
  { name: 'Ada Byron', email: 'ada.byron@example.net' },
  { name: 'Emmy Noether', email: 'emmy.noether@example.net' },
];

export const importCases: readonly EvalCase[] = [
  {
    name: 'import-stock-counts',
    topic: 'imports',
    wish: 'I upload a CSV with the columns sku and count, separated by semicolons. Enter the counts as the stock of the variants. Skip SKUs that we do not have, and tell which.',
    permissions: ['admin_api.products.write', 'file_upload'],
    changes: ({ products, counts }) =>
      products
        .flatMap(({ variants }) => variants)
        .flatMap(({ id, sku, stock }): Change[] => {
          const count = counts.get(sku);
          return count === undefined || count === stock ? [] : [{ type: 'variant', id, after: { stock: count } }];
        }),
    shows: () => ['NOT-A-SKU'],
    turns: ({ countsFile }) =>
      usualTurns({
        query: 'change stock of a variant, read an uploaded file',
        source: `
export default async function main() {
  const known = new Map<string, { id: number; stock: number }>();
  for await (const { variants } of admin.products.each({})) for (const { sku, id, stock } of variants) known.set(sku, { id, stock });
  const [, ...lines] = new TextDecoder().decode(await files.read('counts')).trim().split(/\\r?\\n/);
  const unknown: string[] = [];
  let entered = 0;
  for (const line of lines) {
    const [sku = '', count = ''] = line.split(';').map((cell) => cell.trim());
    const shelf = known.get(sku);
    if (!shelf || !/^\\d+$/.test(count)) unknown.push(sku);
    else if (shelf.stock !== Number(count)) {
      await admin.products.change_stock(shelf.id, { stock: Number(count), expected_stock: shelf.stock });
      entered += 1;
    }
  }
  return { entered, unknown };
}
`,
        permissions: ['admin_api.products.write', 'file_upload'],
        parameters: [{ name: 'counts', kind: 'file', label: 'CSV with sku and count', required: true }],
        values: { counts: countsFile },
        says: 'It enters the counts that differ, and lists the SKUs that it does not know.',
      }),
  },
  {
    name: 'import-vouchers',
    topic: 'imports',
    wish: 'Create these vouchers: ANNA-10 for 10 percent off, BEN-15 for 15 percent off, CLEO-20 for 20 percent off. Leave out those that exist already.',
    permissions: ['admin_api.vouchers.write'],
    changes: () =>
      Object.entries(CODES).map(([code, percent_bps]) => ({ type: 'voucher', id: null, after: { code, kind: 'percent', percent_bps } })),
    turns: usualTurns({
      query: 'create a voucher',
      source: `
const CODES = ${JSON.stringify(CODES)};

export default async function main() {
  const known = new Set<string>();
  for await (const { code } of admin.vouchers.each({})) known.add(code.toUpperCase());
  const missing = Object.entries(CODES).filter(([code]) => !known.has(code));
  for (const [code, percent_bps] of missing) await admin.vouchers.create({ code, kind: 'percent', percent_bps });
  return { created: missing.map(([code]) => code) };
}
`,
      permissions: ['admin_api.vouchers.write'],
      says: 'It creates the three vouchers, and none twice.',
    }),
  },
  {
    name: 'import-customers',
    topic: 'imports',
    wish: 'Add these people as customers: Ada Byron, ada.byron@example.net; Emmy Noether, emmy.noether@example.net. Nobody who is a customer already may be added again.',
    permissions: ['admin_api.customers.write'],
    changes: () => GUESTS.map(({ email }) => ({ type: 'customer', id: null, after: { email } })),
    turns: usualTurns({
      query: 'create a customer',
      source: `
const PEOPLE = ${JSON.stringify(GUESTS)};

export default async function main() {
  let added = 0;
  for (const person of PEOPLE) {
    const { data } = await admin.customers.list({ search: person.email });
    if (data.some(({ email }) => email.toLowerCase() === person.email)) continue;
    await admin.customers.create(person);
    added += 1;
  }
  return { added };
}
`,
      permissions: ['admin_api.customers.write'],
      says: 'It adds the two, each once.',
    }),
  },
];
