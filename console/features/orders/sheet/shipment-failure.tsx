import { ApiError } from '../../../api/client.ts';
import { shipmentsText as t } from '../../../texts/order-shipments.ts';
import { Problem } from '../../../ui/problem.tsx';
import { Banner } from '../../../ui/tabs.tsx';

/** A refusal in words of its own, with what helps. */
export function ShipmentFailure({ error }: { error: unknown }) {
  const sentence = error instanceof ApiError ? t.failures[error.code] : undefined;
  if (sentence === undefined) return <Problem error={error} />;
  return (
    <div role="alert">
      <Banner tone="need">{sentence}</Banner>
    </div>
  );
}
