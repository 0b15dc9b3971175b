import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { cursorPageOf, cursorQuery } from './paging.ts';
import { Country } from './people.ts';
import { Id, Name, Search } from './values.ts';

/** A tax rate. Orders keep the rate that they were created with, so a change affects only later orders. */
export const TaxRate = z
  .object({
    id: Id,
    name: z.string(),
    rate_bps: z.int().meta({ description: 'Basis points: 2700 is 27 %' }),
    country: z
      .string()
      .nullable()
      .meta({ description: 'Replaces the rate of the same name for goods that go to this country; null: any country' }),
    is_default: z
      .boolean()
      .meta({ description: 'The rate of products and shipping methods without a rate of their own; exactly one rate is the default' }),
  })
  .meta({ id: 'TaxRate' });
export type TaxRate = z.infer<typeof TaxRate>;

const RateBps = z.int().min(0).max(10_000);
export const TaxRateInput = z
  .object({ name: Name, rate_bps: RateBps.default(0), country: Country.nullable().default(null), is_default: z.boolean().default(false) })
  .meta({ id: 'TaxRateInput' });
export type TaxRateInput = z.infer<typeof TaxRateInput>;
export const TaxRatePatch = z
  .object({ name: Name, rate_bps: RateBps, country: Country.nullable(), is_default: z.boolean() })
  .partial()
  .meta({ id: 'TaxRatePatch' });
export type TaxRatePatch = z.infer<typeof TaxRatePatch>;

export const taxRatesEndpoints = endpointsOf(
  {
    id: 'tax_rates.list',
    method: 'GET',
    path: '/tax-rates',
    summary: 'List tax rates by name',
    permission: 'admin_api.tax_rates.read',
    query: cursorQuery({ search: Search.optional() }),
    response: cursorPageOf(TaxRate),
  },
  {
    id: 'tax_rates.create',
    method: 'POST',
    path: '/tax-rates',
    undo: 'restore',
    summary: 'Create a tax rate',
    permission: 'admin_api.tax_rates.write',
    body: TaxRateInput,
    status: 201,
    response: TaxRate,
    location: '/tax-rates/{id}',
    refusals: ['out_of_range', 'invalid_value'],
  },
  {
    id: 'tax_rates.get',
    method: 'GET',
    path: '/tax-rates/{id}',
    summary: 'Get a tax rate',
    permission: 'admin_api.tax_rates.read',
    record: 'tax_rate',
    response: TaxRate,
  },
  {
    id: 'tax_rates.update',
    method: 'PATCH',
    path: '/tax-rates/{id}',
    undo: 'restore',
    summary: 'Change a tax rate; omitted fields keep their values; a new default replaces the previous one',
    permission: 'admin_api.tax_rates.write',
    record: 'tax_rate',
    body: TaxRatePatch,
    response: TaxRate,
    refusals: ['out_of_range', 'invalid_value', 'precondition_failed'],
  },
  {
    id: 'tax_rates.delete',
    method: 'DELETE',
    path: '/tax-rates/{id}',
    undo: 'restore',
    summary: 'Delete a tax rate that is not the default and that nothing refers to',
    permission: 'admin_api.tax_rates.write',
    record: 'tax_rate',
    status: 204,
    refusals: ['in_use', 'precondition_failed'],
  },
);
