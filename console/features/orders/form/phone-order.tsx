import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../../api/client.ts';
import { useMay, useShop } from '../../../parts/shop.ts';
import { Unsaved } from '../../../parts/unsaved.tsx';
import { useMoney } from '../../../parts/values.tsx';
import { orderText } from '../../../texts/order.ts';
import { ordersText } from '../../../texts/orders.ts';
import { phoneOrderText as t } from '../../../texts/phone-order.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { Form } from '../../../ui/form.tsx';
import { PageHead, Section } from '../../../ui/page.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { useShortcuts } from '../../../ui/shortcuts.ts';
import { Refusal } from '../../../ui/tabs.tsx';
import { isShownBy } from './body.ts';
import { phoneFields } from './fields.ts';
import { BillingFields, CustomerFields, MoreFields, PriceFields, ShippingFields } from './phone-fields.tsx';
import { PhoneLines } from './phone-lines.tsx';
import { Totals } from './totals.tsx';
import { type PhoneOrderEdit, usePhoneOrder } from './use-phone-order.ts';
import '../sheet/sheet.css';
import './phone-order.css';

/** Takes an order by phone or in the shop. */
export function PhoneOrderPage() {
  const may = useMay();
  const navigate = useNavigate();
  const [made, setMade] = useState<number | null>(null);
  const order = usePhoneOrder(setMade);
  const place = useRef<HTMLDivElement>(null);
  const failed = order.form.failure instanceof ApiError ? order.form.failure.code : undefined;
  const { previewAgain } = order;
  useShortcuts({ escape: () => void navigate({ to: '/orders' }) });
  useEffect(() => {
    if (made !== null) void navigate({ to: '/orders', search: { open: made } });
  }, [made, navigate]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each failure
  useEffect(() => {
    if (failed === 'insufficient_stock' || failed === 'total_changed') void previewAgain();
  }, [order.form.failure]);
  /** Who has told who they are says next what they want; an order that has lines already is looked at where it is. */
  const goToLines = (): void => {
    if (order.form.values.lines.length === 0) place.current?.querySelector<HTMLElement>('[data-pointer="/items"]')?.focus();
  };
  if (!may('admin_api.orders.write')) return <PageHead title={t.title} note={ordersText.mayNot} />;
  return (
    <>
      <PageHead title={t.title} note={t.note}>
        <ButtonLink to="/orders" keys="escape">
          {ordersText.back}
        </ButtonLink>
      </PageHead>
      <div ref={place} className="phone-order">
        <Form
          label={t.form}
          form={order.form}
          submit={t.submit}
          isWaiting={order.isWaiting}
          showFailure={(failure) => <PhoneFailure failure={failure} order={order} place={place} />}
          acts={<TotalNow order={order} />}
        >
          <CustomerFields order={order} onPicked={goToLines} />
          <Section title={t.items}>
            <PhoneLines order={order} />
          </Section>
          <ShippingFields order={order} />
          <BillingFields order={order} />
          <PriceFields order={order} />
          <MoreFields order={order} />
        </Form>
        <aside className="phone-totals" aria-label={t.totals}>
          <h2>{t.totals}</h2>
          <PhoneTotals order={order} />
        </aside>
      </div>
      <Unsaved isEdited={order.form.isEdited && made === null} />
    </>
  );
}

function PhoneTotals({ order }: { order: PhoneOrderEdit }) {
  const { currency } = useShop();
  const { preview, missing } = order;
  const needs = { items: t.needsItems, country: t.needsCountry, method: t.needsMethod };
  if (missing !== undefined) return <p className="muted">{needs[missing]}</p>;
  const others = order.refusals.filter(({ pointer }) => pointer === null || !isShown(pointer));
  return (
    <>
      {order.trouble ? <Problem error={order.trouble} /> : null}
      {others.map(({ detail }) => (
        <p key={detail} className="danger-text" role="alert">
          {detail}
        </p>
      ))}
      {preview ? (
        <div className={order.isWaiting ? 'list stale' : undefined}>
          <Totals
            before={{
              subtotal: preview.subtotal_cents,
              discount: preview.discount_cents,
              shipping: preview.shipping_cents,
              tax: preview.tax_cents,
              total: preview.total_cents,
            }}
            currency={currency}
            isTaxContained={preview.prices_include_tax}
          />
          <p className="muted">{t.becomes(ordersText.status[preview.resulting_status])}</p>
        </div>
      ) : order.isWaiting ? (
        <p className="muted">{orderText.totals.counting}</p>
      ) : order.refusals.length > others.length ? (
        <p className="danger-text">{t.refused}</p>
      ) : null}
    </>
  );
}

/** Beside the act that places the order: what it comes to. */
function TotalNow({ order }: { order: PhoneOrderEdit }) {
  const money = useMoney();
  const { preview, refusals } = order;
  if (refusals.length > 0) return <span className="danger-text">{orderText.totals.refused}</span>;
  return preview ? (
    <strong className="total-change" aria-live="polite">
      {money(preview.total_cents)}
    </strong>
  ) : null;
}

/** Whether a refusal at this place in the body is shown by a field of its own. */
const isShown = (pointer: string): boolean => isShownBy(phoneFields, pointer) || /^\/(items|shipping)(\/|$)/.test(pointer);

type FailureProps = { failure: unknown; order: PhoneOrderEdit; place: React.RefObject<HTMLDivElement | null> };

function PhoneFailure({ failure, order, place }: FailureProps) {
  const money = useMoney();
  const code = failure instanceof ApiError ? failure.code : '';
  if (code === 'insufficient_stock') {
    const goTo = (): void => place.current?.querySelector<HTMLElement>('[data-short]')?.focus();
    return <Refusal act={<Button onClick={goTo}>{t.toQuantities}</Button>}>{t.failures.insufficient_stock}</Refusal>;
  }
  if (code !== 'total_changed') return <Problem error={failure} />;
  const total = order.isWaiting ? undefined : order.preview?.total_cents;
  return <Refusal>{total === undefined ? t.failures.total_changed_unknown : t.failures.total_changed(money(total))}</Refusal>;
}
