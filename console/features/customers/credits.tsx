import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CreditBalance } from '../../../contract/customer-credits.ts';
import { countText, signedText } from '../../language/formats.ts';
import { useActorName } from '../../parts/admin-names.ts';
import { EditForm } from '../../parts/edit-form.tsx';
import type { FieldRows } from '../../parts/fields.tsx';
import { useRecordForm } from '../../parts/record-form.ts';
import { useReload } from '../../parts/reload.ts';
import { Moment, Money } from '../../parts/values.tsx';
import { text } from '../../texts/app.ts';
import { customersText as t } from '../../texts/customers.ts';
import { Button } from '../../ui/button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Section, Sentence } from '../../ui/page.tsx';
import { calls, customerCredits, customerLedger } from './queries.ts';

export function Credits({ id, mayChange }: { id: number; mayChange: boolean }) {
  const balance = useQuery(customerCredits(id));
  const [isAdjusting, setAdjusting] = useState(false);
  const act = mayChange && !isAdjusting ? <Button onClick={() => setAdjusting(true)}>{t.credits.adjust}</Button> : null;
  return (
    <Section title={t.credits.title} act={act}>
      {isAdjusting ? <Adjust id={id} close={() => setAdjusting(false)} /> : null}
      <Loaded query={balance} rows={2}>
        {(credits) => <Balance {...credits} />}
      </Loaded>
      <Ledger id={id} />
    </Section>
  );
}

function Balance({ credits, value_cents, buckets }: CreditBalance) {
  return (
    <>
      <p>
        <strong>{t.credits.balance(countText(credits), credits)}</strong>{' '}
        <span className="muted">
          <Sentence words={t.credits.worth} parts={[<Money key="money" minor={value_cents} />]} />
        </span>
      </p>
      <ul>
        {buckets.map((bucket) => (
          <li key={bucket.id} className="muted">
            {bucket.expires_at === null ? (
              t.credits.forever(countText(bucket.remaining_credits))
            ) : (
              <Sentence words={t.credits.until} parts={[countText(bucket.remaining_credits), <Moment key="at" at={bucket.expires_at} />]} />
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

function Ledger({ id }: { id: number }) {
  const nameOf = useActorName();
  const ledger = useInfiniteQuery(customerLedger(id));
  const entries = ledger.data?.pages.flatMap(({ transactions }) => transactions) ?? [];
  if (entries.length === 0) return null;
  return (
    <>
      <h3>{t.credits.ledger}</h3>
      <ul className="rows">
        {entries.map((entry) => (
          <li key={entry.id}>
            <div>
              <p>{t.credits.kinds[entry.kind]}</p>
              {entry.note ? <p className="written">{entry.note}</p> : null}
              <p className="muted">
                {[entry.reference, nameOf(entry.created_by)].filter(Boolean).join(' · ')} · <Moment at={entry.created_at} />
              </p>
            </div>
            <span className="number">{signedText(entry.delta_credits)}</span>
          </li>
        ))}
      </ul>
      {ledger.hasNextPage ? <Button onClick={() => void ledger.fetchNextPage()}>{text.list.more}</Button> : null}
    </>
  );
}

type Adjustment = { delta: number | null; expires_in_days: number | null; note: string };
const none: Adjustment = { delta: null, expires_in_days: null, note: '' };
const fields: FieldRows<Adjustment> = [
  [
    { kind: 'number', name: 'delta', label: t.credits.delta, hint: t.credits.deltaHint, autoFocus: true },
    {
      kind: 'number',
      name: 'expires_in_days',
      label: t.credits.days,
      hint: t.credits.daysHint,
      isShown: ({ delta }) => delta === null || delta >= 0,
    },
  ],
  { kind: 'text', name: 'note', label: t.credits.note },
];

function Adjust({ id, close }: { id: number; close(): void }) {
  const reload = useReload();
  const form = useRecordForm({
    values: none,
    send: ({ delta, expires_in_days, note }, options) =>
      calls.adjust_credits(
        id,
        { delta: delta ?? 0, expires_in_days: (delta ?? 0) > 0 ? expires_in_days : null, note: note || null },
        options,
      ),
    onSaved: () => {
      void reload('customers');
      close();
    },
  });
  return <EditForm ofPage label={t.credits.adjust} form={form} fields={fields} close={close} />;
}
