import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Variant } from '../../../contract/products.ts';
import { ApiError } from '../../api/client.ts';
import { signedText } from '../../language/formats.ts';
import { useActorName } from '../../parts/admin-names.ts';
import { EditForm } from '../../parts/edit-form.tsx';
import { Fields } from '../../parts/fields.tsx';
import { type RecordForm, useRecordForm } from '../../parts/record-form.ts';
import { useReload } from '../../parts/reload.ts';
import { useMay } from '../../parts/shop.ts';
import { shortagesOf } from '../../parts/shortages.ts';
import { Moment } from '../../parts/values.tsx';
import { text } from '../../texts/app.ts';
import { productsText } from '../../texts/products.ts';
import { Button } from '../../ui/button.tsx';
import { Change } from '../../ui/change.tsx';
import { Section } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Banner, Refusal } from '../../ui/tabs.tsx';
import { VariantStock } from './parts.tsx';
import { calls, stockMovements, variantRecord } from './queries.ts';

const t = productsText.stock;

/** How many pieces there are, the two ways to correct that, and what has changed it so far. */
export function Stock({ variant }: { variant: Variant }) {
  const may = useMay();
  const [way, setWay] = useState<'delta' | 'count' | null>(null);
  const acts =
    may('admin_api.products.write') && way === null ? (
      <div className="acts">
        <Button onClick={() => setWay('delta')}>{t.change}</Button>
        <Button onClick={() => setWay('count')}>{t.count}</Button>
      </div>
    ) : null;
  return (
    <Section title={t.title} act={acts}>
      <p className="stock-now">
        <VariantStock variant={variant} />
      </p>
      {way === 'delta' ? <ChangeBy variant={variant} close={() => setWay(null)} /> : null}
      {way === 'count' ? <Count variant={variant} close={() => setWay(null)} /> : null}
      <Movements id={variant.id} />
    </Section>
  );
}

type FormProps = { variant: Variant; close(): void };

function ChangeBy({ variant: { id }, close }: FormProps) {
  const reload = useReload();
  const form = useRecordForm({
    values: { delta: null as number | null, reason: '', force: false },
    send: ({ delta, reason, force }, options) => calls.change_stock(id, { delta: delta ?? 0, reason, force }, options),
    onSaved: () => {
      void reload('products');
      close();
    },
  });
  return (
    <EditForm label={t.change} form={form} close={close} showFailure={(failure) => <StockFailure failure={failure} form={form} />}>
      <Fields
        form={form}
        fields={[
          [
            { kind: 'number', name: 'delta', label: t.delta, hint: t.deltaHint, autoFocus: true },
            { kind: 'text', name: 'reason', label: t.reason },
          ],
        ]}
      />
    </EditForm>
  );
}

/** Sets the stock to what was counted, unless it has changed since it was looked at: then that is shown first. */
function Count({ variant, close }: FormProps) {
  const reload = useReload();
  const queries = useQueryClient();
  const [expected, setExpected] = useState(variant.stock);
  const [stale, setStale] = useState<{ before: number; now: number } | null>(null);
  const form = useRecordForm({
    values: { stock: null as number | null, force: false },
    send: async ({ stock, force }, options) => {
      const count = { stock: stock ?? expected, expected_stock: expected, reason: t.counted, force };
      try {
        return await calls.change_stock(variant.id, count, options);
      } catch (error) {
        if (!(error instanceof ApiError && error.code === 'stock_stale')) throw error;
        const { value } = await queries.fetchQuery({ ...variantRecord(variant.id), staleTime: 0 });
        setStale({ before: expected, now: value.stock });
        setExpected(value.stock);
        void reload('products');
        return null;
      }
    },
    onSaved: (answer) => {
      if (answer === null) return;
      void reload('products');
      close();
    },
  });
  return (
    <>
      {stale === null ? null : (
        <Banner tone="need">
          <span role="alert">
            {t.stale} <Change before={stale.before} after={stale.now} />. {t.staleAct}
          </span>
        </Banner>
      )}
      <EditForm
        label={t.count}
        form={form}
        canSendUnedited={form.values.stock !== null}
        close={close}
        showFailure={(failure) => <StockFailure failure={failure} form={form} />}
      >
        <Fields
          form={form}
          fields={[{ kind: 'number', name: 'stock', label: t.countedPieces, hint: t.countHint(expected), autoFocus: true }]}
        />
      </EditForm>
    </>
  );
}

type FailureProps<V extends { force: boolean }> = { failure: unknown; form: Pick<RecordForm<V, unknown>, 'values' | 'save'> };

/** Says how many there are when the stock would fall below 0, and offers to do it all the same, as long as it is what was refused. */
function StockFailure<V extends { force: boolean }>({ failure, form: { values, save } }: FailureProps<V>) {
  const [refused] = useState(values);
  const shortages = shortagesOf(failure);
  if (shortages === undefined) return <Problem error={failure} />;
  const act = values === refused ? <Button onClick={() => void save({ ...values, force: true })}>{t.force}</Button> : null;
  return <Refusal act={act}>{t.short(shortages[0]?.available ?? 0)}</Refusal>;
}

function Movements({ id }: { id: number }) {
  const movements = useInfiniteQuery(stockMovements(id));
  const nameOf = useActorName();
  const list = movements.data?.pages.flat() ?? [];
  if (list.length === 0) return null;
  return (
    <details>
      <summary>{t.movements}</summary>
      <ul className="rows">
        {list.map((movement) => (
          <li key={movement.id}>
            <div>
              <p>
                {movement.reason}{' '}
                {movement.order_id === null ? null : (
                  <Link to="/orders" search={{ open: movement.order_id }}>
                    {t.order}
                  </Link>
                )}
              </p>
              <p className="muted">
                {nameOf(movement.actor)} · <Moment at={movement.at} />
              </p>
            </div>
            <span className="number">{signedText(movement.delta)}</span>
          </li>
        ))}
      </ul>
      {movements.hasNextPage ? <Button onClick={() => void movements.fetchNextPage()}>{text.list.more}</Button> : null}
    </details>
  );
}
