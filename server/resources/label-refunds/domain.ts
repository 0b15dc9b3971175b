import { CourierRefused } from '../../providers/courier/courier.ts';
import type { Couriers } from '../../providers/courier/couriers.ts';
import type { Services } from '../../services.ts';
import type { Ctx } from '../../verbs/context.ts';
import { notify } from '../notifications/domain.ts';
import { afterFailure } from './rules.ts';
import * as store from './store.ts';

const ENDPOINT = 'orders.delete_shipment';
const AT_ONCE = 10;
/** How soon the courier is asked again about a purchase that has not turned up yet but still may. */
const LOOK_AGAIN_MS = 5000;
const SPARE_MS = 5000;

export type RefundedLabel = Pick<
  store.NewRefund,
  'shipment_id' | 'order_id' | 'provider' | 'provider_key' | 'provider_shipment_id' | 'courier_name' | 'tracking_number' | 'perhaps_until'
>;

/** Queues the refund of a label. It is requested from the courier after the commit, and again until it succeeds (spec SH8). */
export async function queueRefund(ctx: Ctx, label: RefundedLabel): Promise<void> {
  await store.insertRefund(ctx.db, {
    ...label,
    status: 'pending',
    attempts: 0,
    next_at: Date.parse(ctx.now),
    last_error: null,
    created_at: ctx.now,
    updated_at: ctx.now,
  });
}

/**
 * Requests the refunds that are due. If a server dies during a request, the refund is requested again later; a repeated
 * request does no harm.
 */
export async function requestRefunds(services: Services, couriers: Couriers, nowMs: number = Date.now()): Promise<void> {
  const { store: db, log } = services;
  if (!(await store.hasDue(db.reader, nowMs))) return;
  const untilMs = nowMs + AT_ONCE * (3 * couriers.answersWithinMs) + SPARE_MS;
  const due = await db.write((tx) => store.takeDue({ db: tx, dialect: db.dialect }, nowMs, untilMs, AT_ONCE));
  for (const refund of due) {
    try {
      const outcome = await requestRefund(services, couriers, refund, nowMs);
      await services.transact(ENDPOINT, (ctx) =>
        outcome === 'later'
          ? store.updateRefund(ctx.db, refund.id, { next_at: nowMs + LOOK_AGAIN_MS }, ctx.now)
          : noteDone(ctx, refund, outcome),
      );
    } catch (error) {
      log.warn({ err: error, shipment_id: refund.shipment_id }, 'the refund of a label failed');
      await services.transact(ENDPOINT, (ctx) => noteFailure(ctx, refund, error, nowMs));
    }
  }
}

type Outcome = 'requested' | 'nothing bought' | 'later';

async function requestRefund(services: Services, couriers: Couriers, refund: store.Refund, nowMs: number): Promise<Outcome> {
  const settings = await services.store.snapshot((db) => services.settings.get(db));
  const courier = await couriers.of(refund.provider, settings.courier);
  const reference = { key: refund.provider_key, id: refund.provider_shipment_id };
  if (refund.perhaps_until !== null && !(await courier.find(reference))) {
    return nowMs > Date.parse(refund.perhaps_until) ? 'nothing bought' : 'later';
  }
  await courier.refund(reference);
  return 'requested';
}

async function noteDone(ctx: Ctx, { id, order_id, shipment_id, attempts }: store.Refund, outcome: Outcome): Promise<void> {
  await store.updateRefund(ctx.db, id, { status: 'done', attempts: attempts + 1, last_error: null }, ctx.now);
  ctx.audit({
    resource: { type: 'shipment', id: shipment_id },
    orderId: order_id,
    changes: {},
    summary: `Order ${order_id}: removed shipment ${shipment_id}, ${outcome === 'requested' ? 'refund of its label requested' : 'no label had been bought'}`,
  });
}

async function noteFailure(ctx: Ctx, refund: store.Refund, error: unknown, nowMs: number): Promise<void> {
  const { id, order_id, shipment_id, courier_name, tracking_number } = refund;
  const attempts = refund.attempts + 1;
  const said = error instanceof Error ? error.message : String(error);
  const { retryInMs, isTold } = afterFailure(attempts, error instanceof CourierRefused);
  const changes = retryInMs === null ? { status: 'failed' as const } : { next_at: nowMs + retryInMs };
  await store.updateRefund(ctx.db, id, { ...changes, attempts, last_error: said.slice(0, 1000) }, ctx.now);
  if (!isTold) return;
  await notify(ctx, [
    {
      type: 'label_refund_failed',
      title: 'A label was not refunded',
      message: `Order ${order_id}: the courier did not take back the label ${tracking_number ?? ''} of the removed shipment ${shipment_id}: ${said}`,
      metadata: { order_id, shipment_id, courier_name, tracking_number, attempts, is_retried: retryInMs !== null, error: said },
    },
  ]);
}
