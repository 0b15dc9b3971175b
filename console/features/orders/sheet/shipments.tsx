import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { OrderDetail } from '../../../../contract/orders.ts';
import type { CourierOption, Shipment, ShipmentStatus } from '../../../../contract/shipments.ts';
import { ApiError, once } from '../../../api/client.ts';
import { Remove } from '../../../parts/remove.tsx';
import { useRetryKey } from '../../../parts/retry-key.ts';
import { useMay } from '../../../parts/shop.ts';
import { Money, MutedMoment, useMoney } from '../../../parts/values.tsx';
import { shipmentsText as t } from '../../../texts/order-shipments.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { Facts, Section, Skeleton } from '../../../ui/page.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { Lifecycle, type Stage, Status } from '../../../ui/status.tsx';
import { orderShipments, orderWrites, refreshOrders } from '../order-queries.ts';
import { Failure } from './failure.tsx';
import { LockerForm } from './locker-form.tsx';
import { StatusAct } from './status-act.tsx';

const stages: Record<Exclude<ShipmentStatus, 'failed' | 'returned'>, Stage> = {
  created: 'empty',
  rates_fetched: 'quarter',
  label_purchased: 'half',
  in_transit: 'three',
  delivered: 'full',
};

/** The parcels of an order: their offers, labels and ways. */
export function Shipments({ order }: { order: OrderDetail }) {
  const queries = useQueryClient();
  const may = useMay();
  const shipments = useQuery(orderShipments(order.id));
  const key = useRetryKey();
  // The couriers' offers come with the answer that asked for them, and with no later one.
  const [offers, setOffers] = useState<ReadonlyMap<number, readonly CourierOption[]>>(new Map());
  const fetchRates = useMutation({
    mutationFn: () => orderWrites.fetchRates(order.id, once(key.of(['rates', shipments.data?.length]))),
    onSuccess: async ({ shipment, courier_options }) => {
      key.spend();
      setOffers((before) => new Map(before).set(shipment.id, courier_options));
      await refreshOrders(queries);
    },
  });
  if (shipments.error && !shipments.data) return <Problem error={shipments.error} retry={() => void shipments.refetch()} />;
  if (!shipments.data) return <Skeleton rows={3} />;
  const mayChange = may('admin_api.orders.write');
  const fetchButton = (
    <Button kind={shipments.data.length === 0 ? 'first' : 'plain'} disabled={fetchRates.isPending} onClick={() => fetchRates.mutate()}>
      {fetchRates.isPending ? t.fetching : t.fetch}
    </Button>
  );
  return (
    <Section title={t.title} act={mayChange ? fetchButton : undefined}>
      {fetchRates.error ? <Failure error={fetchRates.error} words={t.failures} /> : null}
      {shipments.data.length === 0 ? <p className="muted">{t.none}</p> : null}
      <ul className="shipments">
        {shipments.data.map((shipment, index) => (
          <li key={shipment.id}>
            <Parcel order={order} shipment={shipment} name={t.parcel(index + 1)} offers={offers.get(shipment.id)} mayChange={mayChange} />
          </li>
        ))}
      </ul>
      {mayChange && shipments.data.length === 0 && order.status !== 'cancelled' ? <LockerForm orderId={order.id} /> : null}
    </Section>
  );
}

/** `name`: what it is called before it has a courier. */
type ParcelProps = {
  order: OrderDetail;
  shipment: Shipment;
  name: string;
  offers: readonly CourierOption[] | undefined;
  mayChange: boolean;
};

function Parcel({ order, shipment, name, offers, mayChange }: ParcelProps) {
  const queries = useQueryClient();
  const money = useMoney();
  const settle = () => refreshOrders(queries);
  const refresh = useMutation({ mutationFn: () => orderWrites.refreshShipment(order.id, shipment.id), onSettled: settle });
  const facts: (readonly [string, React.ReactNode])[] = [
    ...(shipment.tracking_number ? [[t.tracking, <code key="n">{shipment.tracking_number}</code>] as const] : []),
    ...(shipment.cost_cents === null ? [] : [[t.cost, <Money key="c" minor={shipment.cost_cents} currency={order.currency} />] as const]),
  ];
  return (
    <>
      <div className="shipment-head">
        <strong>{shipment.courier_name ?? shipment.courier_id ?? name}</strong>
        <ShipmentStage status={shipment.status} />
        <MutedMoment at={shipment.created_at} />
      </div>
      <Facts facts={facts} />
      {shipment.status === 'rates_fetched' && mayChange ? <Offers order={order} shipment={shipment} offers={offers} /> : null}
      {shipment.tracking_events.length > 0 ? <Events shipment={shipment} /> : null}
      <div className="acts">
        {shipment.label_url === null ? null : (
          <a className="button plain" href={shipment.label_url} target="_blank" rel="noreferrer">
            {t.label}
          </a>
        )}
        {mayChange && shipment.tracking_number && isToSend(order) ? <StatusAct order={order} to="shipped" /> : null}
        {mayChange && shipment.label_url !== null ? (
          <Button disabled={refresh.isPending} onClick={() => refresh.mutate()}>
            {t.refresh}
          </Button>
        ) : null}
        {mayChange ? (
          <Remove
            name={t.removeTitle}
            act={t.remove}
            title={t.removeTitle}
            run={() => orderWrites.deleteShipment(order.id, shipment.id)}
            onDone={settle}
          >
            <p>
              {shipment.cost_cents !== null ? `${t.removeBought(money(shipment.cost_cents, order.currency))} ` : null}
              {t.removeDetail}
            </p>
          </Remove>
        ) : null}
      </div>
      {refresh.error ? <Failure error={refresh.error} words={t.failures} /> : null}
    </>
  );
}

const isToSend = ({ status }: OrderDetail): boolean => status === 'pending' || status === 'processing';

function ShipmentStage({ status }: { status: ShipmentStatus }) {
  if (status === 'failed' || status === 'returned') return <Status tone="fail">{t.status[status]}</Status>;
  return <Lifecycle stage={stages[status]}>{t.status[status]}</Lifecycle>;
}

function Events({ shipment }: { shipment: Shipment }) {
  return (
    <>
      <h3>{t.events}</h3>
      <ul>
        {shipment.tracking_events.map((event) => (
          <li key={`${event.at} ${event.status}`} className="history-row">
            <MutedMoment at={event.at} />
            <span>{[event.description || event.status, event.location].filter(Boolean).join(', ')}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

type OffersProps = { order: OrderDetail; shipment: Shipment; offers: readonly CourierOption[] | undefined };

/** A label costs money at once: the price stands on the button, and is confirmed. */
function Offers({ order, shipment, offers }: OffersProps) {
  const queries = useQueryClient();
  const money = useMoney();
  const name = useId();
  const key = useRetryKey();
  const [chosen, choose] = useState<string | null>(null);
  const [isAsked, ask] = useState(false);
  // The cheapest one is usual; what it costs stands on the button and in the question.
  const [cheapest] = (offers ?? []).toSorted((one, other) => one.cost - other.cost);
  const offer = offers?.find(({ courier_id }) => courier_id === chosen) ?? cheapest;
  const buy = useMutation({
    mutationFn: ({ courier_id, courier_name }: CourierOption) =>
      orderWrites.buyLabel(order.id, shipment.id, { courier_id, courier_name }, once(key.of([shipment.id, courier_id]))),
    onSuccess: async () => {
      key.spend();
      await refreshOrders(queries);
    },
    onError: (error) => {
      // The same request sent again would get this refusal again.
      if (error instanceof ApiError && error.status < 500) key.spend();
    },
  });
  if (offers === undefined) return <p className="muted">{t.lostOffers}</p>;
  if (offers.length === 0) return <p className="muted">{t.noOffers}</p>;
  return (
    <>
      <fieldset className="offers">
        <legend>{t.offers}</legend>
        {offers.map(({ courier_id, courier_name, cost, delivery_estimate }) => (
          <label key={courier_id} className="offer">
            <input type="radio" name={name} checked={courier_id === offer?.courier_id} onChange={() => choose(courier_id)} />
            <span>
              {courier_name} <span className="muted">{delivery_estimate}</span>
            </span>
            <Money minor={cost} currency={order.currency} />
          </label>
        ))}
      </fieldset>
      {offer ? (
        <Button kind="first" onClick={() => ask(true)}>
          {t.buy(money(offer.cost, order.currency))}
        </Button>
      ) : null}
      {isAsked && offer ? (
        <Confirm
          title={t.buyTitle(offer.courier_name, money(offer.cost, order.currency))}
          act={t.buy(money(offer.cost, order.currency))}
          isBusy={buy.isPending}
          onAct={() => buy.mutate(offer)}
          close={() => ask(false)}
        >
          <p>{t.buyDetail}</p>
          {buy.error ? <Failure error={buy.error} words={t.failures} /> : null}
        </Confirm>
      ) : null}
    </>
  );
}
