import { useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../../api/client.ts';
import { useRecordForm } from '../../../parts/record-form.ts';
import { shipmentsText as t } from '../../../texts/order-shipments.ts';
import { TextField } from '../../../ui/field.tsx';
import { Form } from '../../../ui/form.tsx';
import { orderWrites, refreshOrders } from '../order-queries.ts';
import { Failure } from './failure.tsx';

/** Records a parcel that went by a network of lockers: its number there is all that the shop learns. */
export function LockerForm({ orderId }: { orderId: number }) {
  const queries = useQueryClient();
  const form = useRecordForm({
    values: { network: '', provider_shipment_id: '' },
    send: ({ network, provider_shipment_id }, options) =>
      orderWrites.lockerShipment(orderId, network.trim(), { provider_shipment_id }, options),
    onSaved: () => refreshOrders(queries),
  });
  // The network stands in the path, and one that cannot exist is a path that is not there.
  const isNoNetwork = form.failure instanceof ApiError && form.failure.status === 404;
  return (
    <details className="folded">
      <summary>{t.locker}</summary>
      <div className="folded-fields">
        <p className="muted">{t.lockerWhy}</p>
        <Form
          label={t.locker}
          form={form}
          submit={t.lockerSubmit}
          showFailure={(failure) => (isNoNetwork ? <span /> : <Failure error={failure} words={t.failures} />)}
        >
          <div className="form-row">
            <TextField label={t.network} hint={t.networkHint} {...form.text('network')} error={isNoNetwork ? t.networkWrong : undefined} />
            <TextField label={t.number} {...form.text('provider_shipment_id')} />
          </div>
        </Form>
      </div>
    </details>
  );
}
