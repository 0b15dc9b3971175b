import { useQuery } from '@tanstack/react-query';
import type { ProductBulkChange } from '../../../../contract/product-bulk.ts';
import { useDelayed } from '../../../parts/delayed.ts';
import { EditForm } from '../../../parts/edit-form.tsx';
import { MoneyField } from '../../../parts/money-field.tsx';
import { useRecordForm } from '../../../parts/record-form.ts';
import { useRetryKey } from '../../../parts/retry-key.ts';
import { useMoney } from '../../../parts/values.tsx';
import { text } from '../../../texts/app.ts';
import { productBulkText as t } from '../../../texts/product-bulk.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { NumberField, SelectField, SignedPercentField, TextField } from '../../../ui/field.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { applyBulk, bulkPreview, changedVariants, requestsOf } from './apply.ts';
import { BulkPreview } from './preview.tsx';
import type { BulkProps } from './use-bulk-done.ts';

const PREVIEW_AFTER_MS = 200;
/** Minor units whose multiples prices are rounded to. */
const steps = [1, 5, 10, 50, 100] as const;
const priceWays = ['percent', 'amount', 'set'] as const;
const stockWays = ['add', 'set'] as const;

type Values = {
  way: (typeof priceWays)[number] | (typeof stockWays)[number];
  bps: number | null;
  step: string;
  cents: number | null;
  pieces: number | null;
  reason: string;
};

/** Changes the prices or the stock of all variants of the products; each is shown as it is and as it will be. */
export function EditBulk({ of, ids, found, close, onDone }: BulkProps & { of: 'price' | 'stock' }) {
  const key = useRetryKey();
  const start: Values = { way: of === 'price' ? 'percent' : 'add', bps: null, step: '1', cents: null, pieces: null, reason: t.usualReason };
  const form = useRecordForm({
    values: start,
    send: async (values) => {
      const meant = changeOf(of, values);
      if (meant === null) return null;
      const applied = await applyBulk(meant, preview.data ?? [], values.reason, requestsOf(key.of([meant, values.reason, ids])));
      return { change: meant, applied };
    },
    onSaved: (done) => {
      if (done === null) return;
      key.spend();
      onDone(done.change, done.applied);
      close();
    },
  });
  const change = changeOf(of, form.values);
  const asked = useDelayed(change, PREVIEW_AFTER_MS);
  const isAsked = JSON.stringify(asked) === JSON.stringify(change);
  // What was sent stays on the screen while it is done, and if that fails: a second try sends the same.
  const isHeld = isAsked && (form.isSaving || form.failure !== null);
  const preview = useQuery({ ...bulkPreview(ids, asked ?? NOTHING), enabled: asked !== null && !isHeld });
  const shown = asked === null ? undefined : preview.data;
  const isCurrent = isAsked && shown !== undefined && !preview.isPlaceholderData;
  const count = shown ? changedVariants(shown).length : 0;
  const title = of === 'price' ? t.priceTitle(ids.length) : t.stockTitle(ids.length);
  return (
    <Dialog title={title} close={close}>
      {found}
      <EditForm
        label={title}
        form={form}
        submit={of === 'price' ? t.priceAct(count) : t.stockAct(count)}
        isRefused={!isCurrent || count === 0 || form.values.reason.trim() === ''}
        isHeldWhileSaving
        acts={<Button onClick={close}>{text.app.cancel}</Button>}
      >
        {of === 'price' ? <PriceFields form={form} /> : <StockFields form={form} />}
        {preview.error ? <Problem error={preview.error} retry={() => void preview.refetch()} /> : null}
        {shown && asked ? <BulkPreview change={asked} products={shown} /> : null}
      </EditForm>
    </Dialog>
  );
}

/** Never asked for. */
const NOTHING: ProductBulkChange = { kind: 'stock_add', delta: 0 };

function changeOf(of: 'price' | 'stock', { way, bps, step, cents, pieces }: Values): ProductBulkChange | null {
  if (of === 'stock') {
    if (pieces === null) return null;
    return way === 'set' ? { kind: 'stock_set', stock: pieces } : { kind: 'stock_add', delta: pieces };
  }
  if (way === 'percent') return bps === null ? null : { kind: 'price_percent', percent_bps: bps, round_to_cents: Number(step) };
  if (cents === null) return null;
  return way === 'set' ? { kind: 'price_set', price_cents: cents } : { kind: 'price_amount', delta_cents: cents };
}

type FieldsProps = { form: { values: Values; set<K extends keyof Values>(name: K, value: Values[K]): void } };

function PriceFields({ form: { values, set } }: FieldsProps) {
  const money = useMoney();
  const isSet = values.way === 'set';
  return (
    <>
      <SelectField
        label={t.way}
        value={values.way}
        options={priceWays.map((way): [Values['way'], string] => [way, t.priceWays[way]])}
        onValue={(way) => set('way', way)}
      />
      {values.way === 'percent' ? (
        <div className="form-row">
          <SignedPercentField label={t.percent} hint={t.percentHint} value={values.bps} autoFocus onValue={(bps) => set('bps', bps)} />
          <SelectField
            label={t.round}
            hint={t.roundHint}
            value={values.step}
            options={steps.map((step): [string, string] => [String(step), money(step)])}
            onValue={(step) => set('step', step)}
          />
        </div>
      ) : (
        <MoneyField
          label={isSet ? t.newPrice : t.amount}
          {...(isSet ? {} : { hint: t.amountHint })}
          value={values.cents}
          onValue={(cents) => set('cents', cents)}
        />
      )}
    </>
  );
}

function StockFields({ form: { values, set } }: FieldsProps) {
  const isSet = values.way === 'set';
  return (
    <>
      <SelectField
        label={t.way}
        value={values.way}
        options={stockWays.map((way): [Values['way'], string] => [way, t.stockWays[way]])}
        onValue={(way) => set('way', way)}
      />
      <div className="form-row">
        <NumberField
          label={isSet ? t.newStock : t.pieces}
          {...(isSet ? {} : { hint: t.piecesHint })}
          value={values.pieces}
          autoFocus
          onValue={(pieces) => set('pieces', pieces)}
        />
        <TextField label={t.reason} value={values.reason} onValue={(reason) => set('reason', reason)} />
      </div>
    </>
  );
}
