import type { TaxRate, TaxRateInput, TaxRatePatch } from '../../../contract/tax-rates.ts';
import { noteChanged } from '../../verbs/changes.ts';
import type { Ctx } from '../../verbs/context.ts';
import { Refusal, refuseValue } from '../../verbs/problem.ts';
import { changeRecord, createRecord, deleteRecord, lockRecord } from '../../verbs/record-verbs.ts';
import type { RecordVersions } from '../../verbs/record-versions.ts';
import * as store from './store.ts';
import { taxRates } from './store.ts';

export const recordVersions = { tax_rate: taxRates.version } satisfies RecordVersions;

/** A rate in a country, in basis points. null stands for the default rate; a shop without rates charges no tax, so 0. */
export async function taxRateBps(ctx: Ctx, taxRateId: number | null, country: string): Promise<number> {
  return (await store.selectRateBps(ctx.db, taxRateId, country)) ?? 0;
}

/** Refuses (422) an id of a tax rate that does not exist, and locks the rate, so that it stays until the transaction ends. */
export async function holdTaxRate(ctx: Ctx, taxRateId: number | null | undefined): Promise<void> {
  if (taxRateId == null || (await taxRates.hold(ctx.db, taxRateId))) return;
  throw refuseValue('tax_rate_not_found', '/tax_rate_id', `there is no tax rate ${taxRateId}`);
}

/** Creates a tax rate. The first rate becomes the default, whatever `is_default` says. */
export async function createTaxRate(ctx: Ctx, wanted: TaxRateInput): Promise<TaxRate> {
  const defaultId = await holdDefault(ctx);
  const isDefault = wanted.is_default || defaultId === null;
  if (isDefault) await clearDefaultRate(ctx, defaultId);
  return createRecord(ctx, taxRates, { ...wanted, is_default: isDefault });
}

export async function updateTaxRate(ctx: Ctx, id: number, patch: TaxRatePatch): Promise<TaxRate> {
  const defaultId = await holdDefault(ctx);
  const rate = await lockRecord(ctx, taxRates, id);
  if (rate.is_default && patch.is_default === false) {
    throw refuseValue('invalid_value', '/is_default', 'one rate must be the default: make another one the default instead');
  }
  if (patch.is_default && !rate.is_default) await clearDefaultRate(ctx, defaultId);
  return changeRecord(ctx, taxRates, rate, patch);
}

export async function deleteTaxRate(ctx: Ctx, id: number): Promise<undefined> {
  await holdDefault(ctx);
  const rate = await lockRecord(ctx, taxRates, id);
  if (rate.is_default)
    throw new Refusal('in_use', `"${rate.name}" is the default, so it cannot be deleted: make another rate the default first.`);
  const user = await store.selectUser(ctx.db, id);
  if (user) throw new Refusal('in_use', `"${rate.name}" is used by ${user.what} ${user.id} "${user.name}", so it cannot be deleted.`);
  return deleteRecord(ctx, taxRates, rate);
}

/** Takes a lock, so that only one request at a time changes which rate is the default; returns the default's id. */
async function holdDefault(ctx: Ctx): Promise<number | null> {
  await ctx.dialect.lockName(ctx.db, 'tax_rates.default');
  return store.selectDefaultId(ctx.db);
}

async function clearDefaultRate(ctx: Ctx, defaultId: number | null): Promise<void> {
  if (defaultId === null) return;
  await store.clearDefault(ctx.db, defaultId);
  noteChanged(ctx, 'tax_rate', defaultId, { is_default: [true, false] });
}
