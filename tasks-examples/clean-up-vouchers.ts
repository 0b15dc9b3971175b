/**
 * Cleans up vouchers that expired more than `days` days ago: one that no order uses is deleted; one that orders use is kept for them, and
 * switched off.
 */
import { AdminApiError, checkpoint, last_checkpoint, log, once, parameters, progress, result, shop } from 'backroom';
import type { Script } from './clean-up-vouchers.permissions.ts';

declare const admin: Script['admin'];

type Expired = { id: number; code: string; used_count: number };
type Work = { vouchers: Expired[]; left: number };
type Tally = { deleted: number; switched_off: number };

export default async function main() {
  const { vouchers, left } = await once('expired vouchers', findExpired);
  let done = Number(last_checkpoint?.done ?? 0);
  const tally: Tally = { deleted: Number(last_checkpoint?.deleted ?? 0), switched_off: Number(last_checkpoint?.switched_off ?? 0) };
  while (done < vouchers.length) {
    const batch = vouchers.slice(done, done + 10);
    await Promise.all(batch.map((voucher) => cleanUp(voucher, tally)));
    done += batch.length;
    progress(done, vouchers.length, 'vouchers');
    await checkpoint({ done, ...tally });
  }
  if (left > 0) log(`${left} more vouchers are left for the next run`);
  return { expired: vouchers.length + left, ...tally, left };
}

async function cleanUp({ id, code, used_count }: Expired, tally: Tally): Promise<void> {
  try {
    if (used_count === 0) {
      await admin.vouchers.delete(id);
      tally.deleted += 1;
      result('deleted', code, { voucher_id: id });
    } else {
      await admin.vouchers.update(id, { active: false });
      tally.switched_off += 1;
      result('switched off', code, { voucher_id: id, used: used_count });
    }
  } catch (error) {
    if (!(error instanceof AdminApiError)) throw error;
    result('failed', code, { voucher_id: id, code: error.code });
  }
}

async function findExpired(): Promise<Work> {
  const last = Temporal.PlainDate.from(String(parameters.as_of ?? shop.today()))
    .subtract({ days: Math.ceil(Number(parameters.days)) })
    .toString();
  const expired: Expired[] = [];
  for await (const { id, code, valid_to, used_count, active } of admin.vouchers.each({ per_page: 100 })) {
    if (valid_to === null || shop.day(valid_to) >= last) continue;
    if (used_count === 0 || active) expired.push({ id, code, used_count });
  }
  const max = Number(parameters.max);
  return { vouchers: expired.slice(0, max), left: Math.max(0, expired.length - max) };
}
