import { randomOf } from './random.ts';

export type Calendar = {
  /** When the shop opened, in milliseconds since 1970, like all times here. */
  opensMs: number;
  nowMs: number;
  /** The time of the k-th order, computed from k alone; never earlier than that of the order before. */
  timeOf(k: number): number;
};

const DAY_MS = 86_400_000;
const DAYS = 548;

/** Weights of the months: few orders in summer, many before Christmas. */
const MONTHS = [0.85, 0.85, 0.95, 0.95, 0.9, 0.8, 0.75, 0.8, 1, 1.1, 1.6, 1.75];
/** Weights of the weekdays, from Sunday on. */
const WEEKDAYS = [1.15, 1.1, 1, 0.95, 0.95, 0.9, 0.8];
/** Weights of the hours, in UTC. */
const HOURS = [0.2, 0.1, 0.05, 0.05, 0.05, 0.1, 0.3, 0.8, 1.3, 1.6, 1.7, 1.7, 1.6, 1.5, 1.4, 1.3, 1.3, 1.4, 1.6, 2, 2.2, 2, 1.3, 0.6];

/** Spreads orders over the 18 months before `nowMs`, with the growth, seasons, weekdays and hours of a real shop. */
export function calendarOf(seed: number, nowMs: number, orders: number): Calendar {
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS;
  const passed = (nowMs - today) / DAY_MS;
  const opensMs = today - DAYS * DAY_MS;
  const weights: number[] = [];
  for (let day = 0; day <= DAYS; day++) {
    const date = new Date(opensMs + day * DAY_MS);
    const growth = 0.7 + (0.6 * day) / DAYS;
    const noise = 0.75 + 0.5 * randomOf(seed, 'day', day).next();
    const weight = growth * noise * (MONTHS[date.getUTCMonth()] ?? 1) * (WEEKDAYS[date.getUTCDay()] ?? 1);
    weights.push(day === DAYS ? weight * passed : weight);
  }
  const firstOf = cumulate(weights).map((share) => Math.round(share * orders));
  const hourShares = cumulate(HOURS);

  return {
    opensMs,
    nowMs,
    timeOf(k) {
      const day = lastAtMost(firstOf, k);
      const first = firstOf[day] ?? 0;
      const count = Math.max(1, (firstOf[day + 1] ?? orders) - first);
      const share = (k - first + randomOf(seed, 'time', k).next()) / count;
      const hour = lastAtMost(hourShares, share);
      const from = hourShares[hour] ?? 0;
      const within = (share - from) / ((hourShares[hour + 1] ?? 1) - from);
      const ofDay = ((hour + within) / 24) * (day === DAYS ? passed : 1);
      return Math.min(nowMs - 1000, Math.floor((opensMs + (day + ofDay) * DAY_MS) / 1000) * 1000);
    },
  };
}

/** The running sums of the weights, as shares of their total: from 0 to 1. */
function cumulate(weights: readonly number[]): number[] {
  const total = weights.reduce((a, b) => a + b, 0);
  const sums = [0];
  for (const weight of weights) sums.push((sums.at(-1) ?? 0) + weight);
  return sums.map((sum) => sum / total);
}

/** The index of the last step that starts at or before the value. The last entry of `starts` is where the last step ends. */
function lastAtMost(starts: readonly number[], value: number): number {
  let low = 0;
  let high = starts.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
