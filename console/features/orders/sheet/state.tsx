import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { CallOptions } from '../../../../contract/calls.ts';
import type { OrderDetail } from '../../../../contract/orders.ts';
import type { Tagged } from '../../../api/client.ts';
import { EditForm } from '../../../parts/edit-form.tsx';
import type { FieldRows } from '../../../parts/fields.tsx';
import { type RecordForm, useRecordForm } from '../../../parts/record-form.ts';
import { useMay } from '../../../parts/shop.ts';
import { Day } from '../../../parts/values.tsx';
import { orderText } from '../../../texts/order.ts';
import { ordersText } from '../../../texts/orders.ts';
import { SelectField } from '../../../ui/field.tsx';
import { Facts, Section } from '../../../ui/page.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { internalStatuses, orderRecord, orderWrites, refreshOrders, rereadOrder } from '../order-queries.ts';
import { payments, statuses } from '../search.ts';

const t = orderText.state;

/** What the order has come to. Each value is saved by itself, and says when somebody else has set it meanwhile. */
export function OrderState({ order }: { order: Tagged<OrderDetail> }) {
  const may = useMay();
  if (!may('admin_api.orders.write')) return <ReadState order={order.value} />;
  return (
    <Section title={t.title}>
      <div className="order-state">
        <Status order={order} />
        <Payment order={order} />
        <InternalStatus order={order.value} />
        <DeliveryDate order={order} />
        <Tracking order={order} />
        <TestFlag order={order} />
      </div>
    </Section>
  );
}

function ReadState({ order }: { order: OrderDetail }) {
  const facts: [string, React.ReactNode][] = [
    [t.delivery, order.delivery_date === null ? null : <Day key="day" date={order.delivery_date} />],
    [t.tracking, order.tracking_number],
  ];
  const known = facts.filter(([, value]) => value !== null && value !== '');
  return known.length === 0 ? null : (
    <Section title={t.title}>
      <Facts facts={known} />
    </Section>
  );
}

/** A form over a few values of the order. After 412 it takes over what only somebody else has changed. */
function useStateForm<V extends object>(
  { value: order, etag }: Tagged<OrderDetail>,
  read: (order: OrderDetail) => V,
  send: (id: number, values: V, options: CallOptions) => Promise<unknown>,
) {
  const queries = useQueryClient();
  return useRecordForm<V, unknown>({
    values: read(order),
    etag,
    send: (values, options) => send(order.id, values, options),
    reread: async () => {
      const fresh = await rereadOrder(queries, order.id);
      return { value: read(fresh.value), etag: fresh.etag };
    },
    onSaved: () => refreshOrders(queries),
  });
}

type OneProps<V extends object> = {
  name: string;
  form: RecordForm<V, unknown>;
  fields: FieldRows<V>;
  showValue?(name: keyof V & string, value: unknown): string;
};

function One<V extends object>({ name, ...props }: OneProps<V>) {
  return <EditForm label={t.form(name)} isInline nameOf={() => name} {...props} />;
}

const optionsOf = <T extends string>(all: readonly T[], names: Record<T, string>) => all.map((one) => [one, names[one]] as const);

function Status({ order }: { order: Tagged<OrderDetail> }) {
  const form = useStateForm(
    order,
    ({ status }) => ({ status }),
    (id, values, options) => orderWrites.status(id, values, options),
  );
  return (
    <One
      name={t.status}
      form={form}
      fields={[{ kind: 'choice', name: 'status', label: t.status, options: optionsOf(statuses, ordersText.status) }]}
      showValue={(_, value) => named(ordersText.status, value)}
    />
  );
}

function Payment({ order }: { order: Tagged<OrderDetail> }) {
  const form = useStateForm(
    order,
    ({ payment_status }) => ({ payment_status }),
    (id, values, options) => orderWrites.paymentStatus(id, values, options),
  );
  return (
    <One
      name={t.payment}
      form={form}
      fields={[{ kind: 'choice', name: 'payment_status', label: t.payment, options: optionsOf(payments, ordersText.payment) }]}
      showValue={(_, value) => named(ordersText.payment, value)}
    />
  );
}

/** A mark among colleagues, which nothing follows from: it is shown at once, and taken back if the server refuses it. */
function InternalStatus({ order }: { order: OrderDetail }) {
  const may = useMay();
  const queries = useQueryClient();
  const mayRead = may('admin_api.order_statuses.read');
  const all = useQuery({ ...internalStatuses, enabled: mayRead });
  const set = useMutation({
    mutationFn: (internal_status_id: number | null) => orderWrites.internalStatus(order.id, { internal_status_id }),
    onSettled: () => refreshOrders(queries),
  });
  const { queryKey } = orderRecord(order.id);
  if (!mayRead || !all.data || all.data.length === 0) return null;
  const shown = set.isPending ? set.variables : order.internal_status_id;
  return (
    <div className="form inline">
      <SelectField
        label={t.internal}
        value={shown === null ? '' : String(shown)}
        options={[['', t.none], ...all.data.map(({ id, name }) => [String(id), name] as const)]}
        onValue={(value) => {
          void queries.cancelQueries({ queryKey });
          set.mutate(value === '' ? null : Number(value));
        }}
      />
      {set.error ? <Problem error={set.error} /> : null}
    </div>
  );
}

function DeliveryDate({ order }: { order: Tagged<OrderDetail> }) {
  const form = useStateForm(
    order,
    ({ delivery_date }) => ({ delivery_date: delivery_date ?? '' }),
    (id, { delivery_date }, options) => orderWrites.deliveryDate(id, { delivery_date: delivery_date || null }, options),
  );
  return <One name={t.delivery} form={form} fields={[{ kind: 'date', name: 'delivery_date', label: t.delivery }]} />;
}

function Tracking({ order }: { order: Tagged<OrderDetail> }) {
  const canBeShipped = order.value.status === 'pending' || order.value.status === 'processing';
  const form = useStateForm(
    order,
    ({ tracking_number }) => ({ tracking_number, isShipped: false }),
    (id, { tracking_number, isShipped }, options) =>
      orderWrites.shipping(id, { tracking_number, ...(isShipped && canBeShipped ? { status: 'shipped' as const } : {}) }, options),
  );
  return (
    <One
      name={t.tracking}
      form={form}
      fields={[
        { kind: 'text', name: 'tracking_number', label: t.tracking },
        { kind: 'tick', name: 'isShipped', label: t.alsoShipped, isShown: () => form.isEdited && canBeShipped },
      ]}
    />
  );
}

function TestFlag({ order }: { order: Tagged<OrderDetail> }) {
  const form = useStateForm(
    order,
    ({ is_test }) => ({ is_test }),
    (id, values, options) => orderWrites.testFlag(id, values, options),
  );
  return <One name={t.test} form={form} fields={[{ kind: 'tick', name: 'is_test', label: t.testTick }]} />;
}

function named(names: Readonly<Record<string, string>>, value: unknown): string {
  return names[String(value)] ?? String(value);
}
