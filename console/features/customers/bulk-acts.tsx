import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CustomerBulkPreview } from '../../../contract/customer-bulk.ts';
import { countText } from '../../language/formats.ts';
import { EditForm } from '../../parts/edit-form.tsx';
import type { FieldRows } from '../../parts/fields.tsx';
import type { BulkResult } from '../../parts/list/bulk-bar.tsx';
import { useRecordForm } from '../../parts/record-form.ts';
import { useReload } from '../../parts/reload.ts';
import { useRetryKey } from '../../parts/retry-key.ts';
import { useMoney } from '../../parts/values.tsx';
import { text } from '../../texts/app.ts';
import { customersText } from '../../texts/customers.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/field.tsx';
import { adjustAll, discountGroups, previewBulk, setDiscountGroups } from './queries.ts';

const t = customersText.bulk;

export type ActProps = { ids: readonly number[]; close(): void; onDone(results: readonly BulkResult[]): void };
type Question = { title(count: string, raw: number): string; act: string; isDanger?: boolean };
type Asked = Question & { preview: CustomerBulkPreview; send(keyOf: (body: object) => string): Promise<BulkResult[]> };

const NONE = 'none';

/** Gives the selected customers a discount group, or takes it from them. */
export function DiscountDialog({ ids, close, onDone }: ActProps) {
  const [asked, ask] = useState<Asked | null>(null);
  const groups = useQuery(discountGroups);
  const known = groups.data?.data ?? [];
  const form = useRecordForm({
    values: { group: '' },
    async send({ group }): Promise<Asked> {
      const id = group === NONE ? null : Number(group);
      const name = known.find((one) => one.id === id)?.name ?? '';
      return {
        preview: await previewBulk(ids, { kind: 'discount_group', discount_group_id: id }),
        send: (keyOf) => setDiscountGroups(ids, id, keyOf),
        title: (count, raw) => (id === null ? t.takeGroup(count, raw) : t.giveGroup(count, raw, name)),
        act: id === null ? t.takeGroupAct : t.giveGroupAct,
      };
    },
    onSaved: ask,
  });
  if (asked) return <Ask asked={asked} close={close} onDone={onDone} />;
  return (
    <Dialog title={t.discountTitle(countText(ids.length), ids.length)} close={close}>
      <EditForm
        label={t.discount}
        form={form}
        submit={t.preview}
        isRefused={form.values.group === ''}
        acts={<Button onClick={close}>{text.app.cancel}</Button>}
      >
        <SelectField
          label={customersText.fields.discount_group_id}
          value={form.values.group}
          options={[['', t.choose], [NONE, customersText.noGroup], ...known.map(({ id, name }): [string, string] => [String(id), name])]}
          onValue={(group) => form.set('group', group)}
        />
      </EditForm>
    </Dialog>
  );
}

type Adjustment = { delta: number | null; expires_in_days: number | null; note: string };
const none: Adjustment = { delta: null, expires_in_days: null, note: '' };
const c = customersText.credits;
const fields: FieldRows<Adjustment> = [
  [
    { kind: 'number', name: 'delta', label: c.delta, hint: c.deltaHint, autoFocus: true },
    {
      kind: 'number',
      name: 'expires_in_days',
      label: c.days,
      hint: c.daysHint,
      isShown: ({ delta }) => delta === null || delta >= 0,
    },
  ],
  { kind: 'text', name: 'note', label: c.note },
];

/** Gives each of the selected customers credits, or takes them. It is money: what all of it is worth is asked about. */
export function CreditsDialog({ ids, close, onDone }: ActProps) {
  const [asked, ask] = useState<Asked | null>(null);
  const form = useRecordForm({
    values: none,
    async send({ delta: chosen, expires_in_days, note }): Promise<Asked> {
      const delta = chosen ?? 0;
      const adjustment = { delta, expires_in_days: delta > 0 ? expires_in_days : null, note: note || null };
      const each = countText(Math.abs(delta));
      return {
        preview: await previewBulk(ids, { kind: 'credits', delta }),
        send: (keyOf) => adjustAll(ids, adjustment, keyOf),
        title: (count, raw) => (delta > 0 ? t.giveCredits(count, raw, each) : t.takeCredits(count, raw, each)),
        act: delta > 0 ? t.giveCreditsAct : t.takeCreditsAct,
        isDanger: delta < 0,
      };
    },
    onSaved: ask,
  });
  if (asked) return <Ask asked={asked} close={close} onDone={onDone} />;
  return (
    <Dialog title={t.creditsTitle(countText(ids.length), ids.length)} close={close}>
      <EditForm
        label={t.credits}
        form={form}
        fields={fields}
        submit={t.preview}
        isRefused={form.values.delta === null}
        acts={<Button onClick={close}>{text.app.cancel}</Button>}
      />
    </Dialog>
  );
}

function Ask({ asked, close, onDone }: Omit<ActProps, 'ids'> & { asked: Asked }) {
  const { preview, title, act, isDanger = false } = asked;
  const reload = useReload();
  const key = useRetryKey();
  const send = useMutation({
    mutationFn: () => asked.send((body) => key.of(body)),
    onSuccess: (results) => {
      key.spend();
      void reload('customers', 'discount_groups');
      onDone(results);
      close();
    },
  });
  if (preview.changing === 0) {
    return (
      <Dialog title={t.nothing} close={close}>
        <Effects preview={preview} />
      </Dialog>
    );
  }
  return (
    <Confirm
      title={title(countText(preview.changing), preview.changing)}
      act={act}
      isDanger={isDanger}
      isBusy={send.isPending}
      error={send.error}
      onAct={() => send.mutate()}
      close={close}
    >
      <Effects preview={preview} />
    </Confirm>
  );
}

const told = ['other_group', 'new_businesses', 'insufficient', 'unchanged', 'deleted', 'missing'] as const;

/** What else the change does, and to whom it does nothing. */
function Effects({ preview }: { preview: CustomerBulkPreview }) {
  const money = useMoney();
  return (
    <>
      {preview.value_cents > 0 ? <p>{t.worth(money(preview.value_cents))}</p> : null}
      {told.map((name) => (preview[name] > 0 ? <p key={name}>{t.effects[name](countText(preview[name]), preview[name])}</p> : null))}
    </>
  );
}
