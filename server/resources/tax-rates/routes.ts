import { type Routes, read, write } from '../../verbs/route.ts';
import * as taxRates from './domain.ts';

export const taxRatesRoutes = {
  'tax_rates.list': read((ctx, { query }) => taxRates.listTaxRates(ctx, query)),
  'tax_rates.create': write((ctx, { body }) => taxRates.createTaxRate(ctx, body)),
  'tax_rates.get': read((ctx, { params }) => taxRates.getTaxRate(ctx, params.id)),
  'tax_rates.update': write((ctx, { params, body }) => taxRates.updateTaxRate(ctx, params.id, body)),
  'tax_rates.delete': write((ctx, { params }) => taxRates.deleteTaxRate(ctx, params.id)),
} satisfies Partial<Routes>;
