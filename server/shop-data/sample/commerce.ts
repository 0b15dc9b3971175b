import type { Voucher } from '../../../contract/vouchers.ts';
import { voucherDefaults } from '../../resources/vouchers/rules.ts';

/** The shop's terms of sale: shipping methods, pickup locations, discount groups and vouchers. */

export const SHIPPING_METHODS = {
  standard: { name: 'Standard', price_cents: 490, free_over_cents: 5000, countries: [], delivery_estimate: '2-4 working days', active: 1 },
  express: { name: 'Express', price_cents: 990, free_over_cents: null, countries: [], delivery_estimate: '1 working day', active: 1 },
  bicycle: { name: 'Bicycle courier', price_cents: 690, free_over_cents: null, countries: ['IE'], delivery_estimate: 'today', active: 0 },
} as const;

export const PICKUP_LOCATIONS = [
  { name: 'The shop', line1: '12 Harbour View', city: 'Cork', postal_code: 'T12 R5C8', opening_hours: 'Mo-Sa 9:00-18:00', active: 1 },
  { name: 'The roastery', line1: '4 Mill Lane', city: 'Cork', postal_code: 'T23 A1B2', opening_hours: 'Fr 14:00-18:00', active: 1 },
  { name: 'Market stall', line1: '1 The Green', city: 'Galway', postal_code: 'H91 E2K3', opening_hours: 'Sa 8:00-13:00', active: 0 },
] as const;

export const DISCOUNT_GROUPS = [
  { name: 'Trade', percent_bps: 1000 },
  { name: 'Wholesale', percent_bps: 1750 },
] as const;

export const voucherNames = ['launch', 'welcome', 'winter', 'thanks', 'shipping', 'coming', 'stopped'] as const;
export type VoucherName = (typeof voucherNames)[number];
export type SampleVoucher = Omit<Voucher, 'id' | 'used_count'>;

const DAY_MS = 86_400_000;

/** The vouchers include one for each reason why a voucher can or cannot be used. */
export function sampleVouchers(opensMs: number, nowMs: number): Record<VoucherName, SampleVoucher> {
  const day = (ms: number): string => new Date(ms).toISOString();
  return {
    launch: { ...voucherDefaults, code: 'LAUNCH', kind: 'percent', percent_bps: 5000, usage_limit: LAUNCH_USES },
    welcome: { ...voucherDefaults, code: 'WELCOME10', kind: 'percent', percent_bps: 1000 },
    winter: {
      ...voucherDefaults,
      code: 'WINTER15',
      kind: 'percent',
      percent_bps: 1500,
      min_subtotal_cents: 4000,
      valid_from: day(opensMs),
      valid_to: day(opensMs + 90 * DAY_MS),
    },
    thanks: { ...voucherDefaults, code: 'THANKS5', kind: 'fixed', amount_cents: 500, min_subtotal_cents: 2000 },
    shipping: { ...voucherDefaults, code: 'SHIPFREE', kind: 'free_shipping' },
    coming: { ...voucherDefaults, code: 'AUTUMN', kind: 'percent', percent_bps: 1000, valid_from: day(nowMs + 60 * DAY_MS) },
    stopped: { ...voucherDefaults, code: 'FRIENDS', kind: 'percent', percent_bps: 3000, per_customer_limit: 1, active: false },
  };
}

export const LAUNCH_USES = 3;
