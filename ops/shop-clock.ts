import { setTimeout as delay } from 'node:timers/promises';
import { type DomainEvent, events, isEventType } from '../contract/events.ts';
import type { WaitingReason } from '../contract/runs.ts';
import type { Shop } from '../sandbox-lib/testing.ts';
import { scheduleClock } from '../server/automation/schedules/firing.ts';
import type { Services } from '../server/services.ts';
import { nextDue } from './shop-clock-store.ts';
import { callHook, isHookCall } from './shop-hooks.ts';

/** The clock of the shops of a test, and events that happen in them; sandbox-lib/testing.ts documents both. */

const RealDate = Date;
let aheadMs = 0;
let open = 0;

/** The time in these shops. */
export const shopNow = (): number => RealDate.now() + aheadMs;

/** While a shop is open, this process has its time: the server of the shop is in this process, and writes its times by it. */
export function startClock(): () => void {
  if (open === 0)
    globalThis.Date = class extends RealDate {
      constructor(...given: [] | ConstructorParameters<typeof Date>) {
        if (given.length === 0) super(shopNow());
        else super(...given);
      }
      static override now = shopNow;
    } as DateConstructor;
  open += 1;
  return () => {
    open -= 1;
    if (open > 0) return;
    globalThis.Date = RealDate;
    aheadMs = 0;
  };
}

/** A run that waits for one of these goes on only when something happens. The answers to its questions are on their way. */
const RESTS: ReadonlySet<WaitingReason | null> = new Set<WaitingReason>(['event', 'signal', 'sleep', 'task', 'retry']);
const LOOK_MS = 20;

/** `opened`: resolves when the runs that the test has asked for are open. */
type Parts = { services: Services; client: Shop['admin']; task(): Promise<number>; opened(): Promise<unknown>; died: Promise<never> };

export function clockOf({ services, client, task, opened, died }: Parts): Pick<Shop, 'clock' | 'emit' | 'signal'> {
  const openScheduled = scheduleClock(services);
  const looked = () => nextDue(services.store.reader);

  /** Waits until each run has ended or rests. */
  async function rested(): Promise<void> {
    await opened();
    for (;;) {
      const due = await looked();
      const { data } = await client.ai_tasks.list_all_runs({ status: 'running', limit: 100 });
      const isWaking = due.wakes || (due.atMs !== null && due.atMs <= shopNow());
      if (!isWaking && data.every(({ waiting_reason }) => RESTS.has(waiting_reason))) return;
      services.waits.fire();
      services.starts.fire();
      await openScheduled();
      await Promise.race([delay(LOOK_MS), died]);
    }
  }

  async function advance(by: string | number): Promise<void> {
    const untilMs = shopNow() + durationMs(by);
    for (;;) {
      await rested();
      const { atMs } = await looked();
      const leftMs = untilMs - shopNow();
      if (leftMs <= 0) return;
      aheadMs += atMs === null ? leftMs : Math.max(0, Math.min(leftMs, atMs - shopNow()));
    }
  }

  return {
    clock: { now: () => new RealDate(shopNow()), advance },
    async emit(event) {
      await rested();
      if (isHookCall(event)) await callHook(services, await task(), event);
      else {
        const checked = checkedEvent(event);
        await services.transact('ai_tasks.append_run_events', async (ctx) => ctx.emit(checked));
      }
      await rested();
    },
    async signal(to, value) {
      await rested();
      const taskId = await task();
      const { taken } =
        typeof to === 'string'
          ? await client.ai_tasks.signal(taskId, { key: to, value })
          : await client.ai_tasks.signal_run(taskId, to, { value });
      await rested();
      return taken;
    },
  };
}

function checkedEvent({ type, data }: { type: string; data: unknown }): DomainEvent {
  if (!isEventType(type)) throw new TypeError(`the shop has no event "${type}"; it has ${Object.keys(events).join(', ')}`);
  const read = events[type].data.safeParse(data);
  if (!read.success) {
    const faults = read.error.issues.map(({ path, message }) => `${path.join('.') || 'data'}: ${message}`);
    throw new TypeError(`the data of ${type} are not those of the event: ${faults.join('; ')}`);
  }
  return { type, data: read.data } as DomainEvent;
}

const UNITS: Readonly<Record<string, number>> = { second: 1000, minute: 60_000, hour: 3_600_000, day: 86_400_000, week: 604_800_000 };
const ISO = /^P(?=.)(?:(\d+)W)?(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;

/** The milliseconds of `3 days`, of an ISO 8601 duration, or of a number of them. */
export function durationMs(by: string | number): number {
  if (typeof by === 'number' && by >= 0 && Number.isFinite(by)) return by;
  const [, count = '', unit = ''] = /^(\d+(?:\.\d+)?) (second|minute|hour|day|week)s?$/.exec(String(by)) ?? [];
  if (unit !== '') return Number(count) * (UNITS[unit] ?? 0);
  const iso = typeof by === 'string' ? ISO.exec(by) : null;
  if (!iso)
    throw new RangeError(`clock.advance takes milliseconds, '3 days' or an ISO 8601 duration such as 'P3DT12H', not ${JSON.stringify(by)}`);
  const parts = iso.slice(1).map((part) => Number(part ?? 0));
  return [UNITS['week'], UNITS['day'], UNITS['hour'], UNITS['minute'], UNITS['second']].reduce<number>(
    (sum, unitMs = 0, n) => sum + unitMs * (parts[n] ?? 0),
    0,
  );
}
