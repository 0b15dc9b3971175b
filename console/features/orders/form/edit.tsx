import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { OrderDetail } from '../../../../contract/orders.ts';
import { ApiError, type Tagged } from '../../../api/client.ts';
import { Fields, fieldLabels } from '../../../parts/fields.tsx';
import { NoMailServer } from '../../../parts/mail.tsx';
import { changedOnly } from '../../../parts/record-form.ts';
import { Unsaved } from '../../../parts/unsaved.tsx';
import { useMoney } from '../../../parts/values.tsx';
import { orderText } from '../../../texts/order.ts';
import { ordersText } from '../../../texts/orders.ts';
import { Button } from '../../../ui/button.tsx';
import { Change, valueText } from '../../../ui/change.tsx';
import { TextField, Tick } from '../../../ui/field.tsx';
import { Form } from '../../../ui/form.tsx';
import { Section } from '../../../ui/page.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { Refusal } from '../../../ui/tabs.tsx';
import { isShownBy } from './body.ts';
import { useCancelQuestion } from './cancel-question.tsx';
import { type EditPart, useEditPlace } from './edit-place.ts';
import { editFields, editRows, stateRows } from './fields.ts';
import { FoldedFields } from './folded-fields.tsx';
import { EditedLines } from './lines.tsx';
import { ReadGoods } from './read-goods.tsx';
import { Balance, Totals, totalsOf } from './totals.tsx';
import { type OrderEdit, useOrderEdit } from './use-order-edit.ts';

const t = orderText;

type Props = { order: Tagged<OrderDetail>; from: EditPart; close(isSaved: boolean): void };

/** All that can be changed of an order, in one form with one save. */
export function EditOrder({ order: record, from, close }: Props) {
  const order = record.value;
  const edit = useOrderEdit(record);
  const place = useRef<HTMLDivElement>(null);
  useEditPlace(place, from);
  const failed = useFailures(edit, place);
  const ask = useCancelQuestion(order, edit);
  const { form } = edit;
  const { savedCount, isSaving, isEdited } = form;
  const isSaved = savedCount > 0 && !isSaving && !isEdited && form.failure === null && form.conflicts.length === 0;
  const leave = useEffectEvent(() => close(true));
  useEffect(() => {
    if (isSaved) leave();
  }, [isSaved]);
  const labelOf = fieldLabels([...editFields(order), ...stateRows]);
  const showValue = useShownValue(order.currency);
  function reset(): void {
    form.reset();
    close(false);
  }
  return (
    <div ref={place} className="order-edit">
      <Form
        label={t.edit.form}
        form={{ ...form, reset, save: ask.save, isSaving: isSaving || ask.isAsking, failure: form.failure ?? ask.failure }}
        submit={t.edit.save}
        isWaiting={edit.isChanged && !edit.isCurrent}
        isRefused={edit.isRefused || !edit.hasChanges}
        isHeldWhileSaving
        saysWhatIsSaved={edit.hasChanges}
        nameOf={(name) => lineName(name, edit) ?? labelOf(name)}
        showValue={showValue}
        showFailure={(failure) => <EditFailure failure={failure} edit={edit} currency={order.currency} place={place} />}
        acts={
          <>
            {form.isEdited ? null : (
              <Button kind="quiet" onClick={() => close(false)}>
                {t.edit.leave}
              </Button>
            )}
            <WhatIsSaved edit={edit} order={order} labelOf={labelOf} />
          </>
        }
      >
        <Section title={t.state.title}>
          <div className="order-state">
            <Fields fields={stateRows} form={edit.shown} />
          </div>
        </Section>
        {order.status === 'cancelled' ? (
          <ReadGoods order={order} note={t.edit.cancelled} />
        ) : (
          <Goods order={order} edit={edit} from={from} failed={failed} />
        )}
      </Form>
      {ask.question}
      <Unsaved isEdited={form.isEdited} />
    </div>
  );
}

/** Leads to what a refusal is about; tells its code. */
function useFailures({ form, previewAgain }: OrderEdit, place: RefObject<HTMLDivElement | null>): string | undefined {
  const failed = form.failure instanceof ApiError ? form.failure.code : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each failure
  useEffect(() => {
    if (failed === undefined) return;
    if (failed === 'insufficient_stock' || failed === 'total_changed') void previewAgain();
    if (failed === 'warning_not_acknowledged') place.current?.querySelector<HTMLElement>('[data-pointer="/warn_acknowledged"]')?.focus();
  }, [form.failure]);
  return failed;
}

type GoodsProps = { order: OrderDetail; edit: OrderEdit; from: EditPart; failed: string | undefined };

/** The lines of the order with their sums, and all that is edited with them. */
function Goods({ order, edit, from, failed }: GoodsProps) {
  const { preview } = edit;
  const [areAllShown, showAll] = useState(false);
  const before = preview?.totals_before ?? totalsOf(order);
  const rows = editRows(order);
  const fields = editFields(order);
  return (
    <>
      <Section title={t.lines.title}>
        <EditedLines order={order} edit={edit} areAllShown={areAllShown} showAll={() => showAll(true)} />
      </Section>
      <FoldedFields title={t.edit.price} edit={edit} rows={rows.price} isOpen={from === 'price'} />
      <Section title={t.totals.title}>
        <Totals before={before} after={preview?.totals_after} currency={order.currency} isTaxContained={order.prices_include_tax} />
        <Balance cents={preview?.balance_due_cents ?? order.balance_due_cents} currency={order.currency} paid={order.paid_total_cents} />
        {edit.trouble ? <Problem error={edit.trouble} /> : null}
        {edit
          .otherErrors((pointer) => isShownBy(fields, pointer) || isLine(pointer))
          .map((detail) => (
            <p key={detail} className="danger-text" role="alert">
              {detail}
            </p>
          ))}
      </Section>
      <FoldedFields title={t.edit.person} edit={edit} rows={rows.person} isOpen={from === 'person'}>
        <p className="muted">{t.edit.onlyHere}</p>
      </FoldedFields>
      <Fields fields={rows.notes} form={edit.shown} />
      <Manner edit={edit} order={order} failed={failed} />
    </>
  );
}

/** How the edit is made: only what this edit asks for. */
function Manner({ edit, order, failed }: { edit: OrderEdit; order: OrderDetail; failed: string | undefined }) {
  const { form, preview } = edit;
  if (!edit.isChanged) return null;
  const isShort = (preview?.stock_warnings.length ?? 0) > 0 || failed === 'insufficient_stock';
  const needsWord = preview?.requires_warn_acknowledged === true || failed === 'warning_not_acknowledged';
  const tick = (name: 'stock_override' | 'warn_acknowledged' | 'notify_customer', label: string) => (
    <Tick label={label} pointer={`/${name}`} checked={form.values[name]} onValue={(value) => form.set(name, value)} />
  );
  return (
    <div className="order-manner">
      {needsWord ? tick('warn_acknowledged', t.edit.acknowledge) : null}
      {isShort ? tick('stock_override', t.edit.override) : null}
      {order.customer_email === '' && form.values['customer/email'] === '' ? null : tick('notify_customer', t.edit.notify)}
      {form.values.notify_customer ? <NoMailServer /> : null}
      {preview && preview.payment_delta_cents !== 0 ? (
        <TextField label={t.edit.adjustment} hint={t.edit.adjustmentHint} {...form.text('payment_adjustment_note')} />
      ) : null}
    </div>
  );
}

type SavedProps = { edit: OrderEdit; order: OrderDetail; labelOf(name: string): string };

/** Beside the act that saves: what it would save, and what that does to the total. */
function WhatIsSaved({ edit, order, labelOf }: SavedProps) {
  const money = useMoney();
  const { form, preview } = edit;
  if (!edit.hasChanges) return form.isEdited ? null : <span className="what-is-saved muted">{t.edit.unchanged}</span>;
  const changed = Object.keys(changedOnly(form.values, form.base));
  const isLineOf = (name: string): boolean => /^(quantity|price)\/|^added$/.test(name);
  const lines = new Set(changed.filter((name) => /^(quantity|price)\//.test(name)).map((name) => name.split('/')[1])).size;
  const names = changed.filter((name) => !isLineOf(name) && labelOf(name) !== name).map(labelOf);
  const count = lines + form.values.added.length;
  const { totals_before: before, totals_after: after } = preview ?? {};
  return (
    <>
      <span className="what-is-saved">{t.edit.saves([...names, ...(count > 0 ? [t.edit.lines(count)] : [])].join(', '))}</span>
      {!edit.isChanged ? null : before && after ? (
        <span className="total-change" aria-live="polite">
          {before.total === after.total ? (
            <strong>{money(after.total, order.currency)}</strong>
          ) : (
            <Change before={money(before.total, order.currency)} after={money(after.total, order.currency)} />
          )}
        </span>
      ) : edit.isRefused ? (
        <span className="danger-text">{t.totals.refused}</span>
      ) : (
        <span className="muted">{t.totals.counting}</span>
      )}
    </>
  );
}

type FailureProps = { failure: unknown; edit: OrderEdit; currency: string; place: RefObject<HTMLDivElement | null> };

/** A refusal that has an act of its own. */
function EditFailure({ failure, edit, currency, place }: FailureProps) {
  const money = useMoney();
  const words = t.edit.failures;
  if (!(failure instanceof ApiError)) return <Problem error={failure} />;
  const goTo =
    (selector: string, or = selector) =>
    () => {
      const found = place.current?.querySelector<HTMLElement>(selector) ?? place.current?.querySelector<HTMLElement>(or);
      found?.focus();
    };
  const told: Partial<Record<string, { words: string; act?: ReactNode }>> = {
    insufficient_stock: {
      words: words.insufficient_stock,
      act: <Button onClick={goTo('[data-short]', '.order-line input')}>{t.edit.toQuantities}</Button>,
    },
    warning_not_acknowledged: {
      words: words.warning_not_acknowledged,
      act: <Button onClick={goTo('[data-pointer="/warn_acknowledged"]')}>{t.edit.toTick}</Button>,
    },
    total_changed: {
      words:
        edit.isCurrent && edit.preview
          ? words.total_changed(money(edit.preview.totals_after.total, currency))
          : words.total_changed_unknown,
    },
  };
  const known = told[failure.code];
  return known === undefined ? <Problem error={failure} /> : <Refusal act={known.act}>{known.words}</Refusal>;
}

/** Whether a refusal at this place in the body is shown by a line. */
const isLine = (pointer: string): boolean =>
  /^\/items\/\d+\/(quantity|unit_price_override_cents|custom_field_values|variant_id)/.test(pointer);

function lineName(name: string, { known }: OrderEdit): string | undefined {
  const [kind, id] = name.split('/');
  const line = known.get(Number(id));
  return line && (kind === 'price' ? t.edit.linePrice(line.product_name) : t.edit.lineQuantity(line.product_name));
}

function useShownValue(currency: string): (name: string, value: unknown) => string {
  const money = useMoney();
  return (name, value) => {
    if (name === 'status' || name === 'payment_status') return named(name, value);
    if (/^quantity\//.test(name) && (value === undefined || value === 0)) return t.edit.gone;
    if (/^price\/|_cents$/.test(name) && typeof value === 'number') return money(value, currency);
    return valueText(value);
  };
}

function named(name: 'status' | 'payment_status', value: unknown): string {
  const names: Readonly<Record<string, string>> = name === 'status' ? ordersText.status : ordersText.payment;
  return names[String(value)] ?? String(value);
}
