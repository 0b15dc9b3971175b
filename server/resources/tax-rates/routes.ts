import { getRecord, listRecords } from '../../verbs/record-verbs.ts';
import { type Routes, read, write } from '../../verbs/route.ts';
import { createTaxRate, deleteTaxRate, updateTaxRate } from './domain.ts';
import { taxRates } from './store.ts';

export const taxRatesRoutes = {
  'tax_rates.list': read((ctx, { query }) => listRecords(ctx, taxRates, query)),
  'tax_rates.create': write((ctx, { body }) => createTaxRate(ctx, body)),
  'tax_rates.get': read((ctx, { params }) => getRecord(ctx, taxRates, params.id)),
  'tax_rates.update': write((ctx, { params, body }) => updateTaxRate(ctx, params.id, body)),
  'tax_rates.delete': write((ctx, { params }) => deleteTaxRate(ctx, params.id)),
} satisfies Partial<Routes>;
