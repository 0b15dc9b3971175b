import type { Handlers } from '../../http/handlers.ts';
import * as taxRates from './domain.ts';

export const taxRatesRoutes: Handlers = {
  'tax_rates.list': (ctx, { query }) => taxRates.listTaxRates(ctx, query),
  'tax_rates.create': (ctx, { body }) => taxRates.createTaxRate(ctx, body),
  'tax_rates.get': (ctx, { params }) => taxRates.getTaxRate(ctx, params.id),
  'tax_rates.update': (ctx, { params, body }) => taxRates.updateTaxRate(ctx, params.id, body),
  'tax_rates.delete': (ctx, { params }) => taxRates.deleteTaxRate(ctx, params.id),
};
