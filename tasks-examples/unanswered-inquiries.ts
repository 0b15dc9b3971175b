/**
 * Reminds the admins of inquiries that have waited `days` days or longer for an answer: one notification a day tells how many there are,
 * and the oldest of them. The state remembers the day of the last one. Give it a schedule such as `0 8 * * MON-FRI`.
 */
import { checkpoint, log, parameters, result, shop, state } from 'backroom';
import type { Script } from './unanswered-inquiries.permissions.ts';

declare const admin: Script['admin'];
declare const notify: Script['notify'];

const LINES_MAX = 20;
const KEY = 'reminded';

export default async function main() {
  const today = String(parameters.as_of ?? shop.today());
  const reminded = await state.get<string>(KEY);
  if (reminded !== null && reminded >= today) {
    log(`the admins were reminded on ${reminded} already`);
    return { waiting: 0, notified: 0 };
  }
  const lines = await findWaiting(today);
  if (lines.length === 0) return { waiting: 0, notified: 0 };
  const shown = lines.slice(0, LINES_MAX);
  if (lines.length > shown.length) shown.push(`and ${lines.length - shown.length} more`);
  await notify({
    title: `Inquiries without an answer: ${lines.length}`,
    body: shown.join('\n'),
    link: '/inquiries',
    severity: 'warning',
  });
  await state.set(KEY, today);
  await checkpoint({});
  return { waiting: lines.length, notified: 1 };
}

/** A line for each inquiry that has waited so long, the oldest first. */
async function findWaiting(today: string): Promise<string[]> {
  const last = Temporal.PlainDate.from(today)
    .subtract({ days: Math.ceil(Number(parameters.days)) })
    .toString();
  const lines: string[] = [];
  for await (const { id, name, subject, created_at } of admin.inquiries.each({ answered: false, sort: 'created_at', per_page: 100 })) {
    const day = shop.day(created_at);
    if (day > last) break;
    lines.push(`${day} ${name.slice(0, 60)}: ${subject.slice(0, 80) || 'without a subject'}`);
    if (lines.length <= LINES_MAX) result('waiting', subject || name, { inquiry_id: id, since: day });
  }
  return lines;
}
