import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { View } from '../../../../contract/views.ts';
import { useRecordForm } from '../../../parts/record-form.ts';
import { Remove } from '../../../parts/remove.tsx';
import { isSame } from '../../../parts/search.ts';
import { useActsAsOwner } from '../../../parts/shop.ts';
import { ordersText } from '../../../texts/orders.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { TextField, Tick } from '../../../ui/field.tsx';
import { Form } from '../../../ui/form.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { ViewTab } from '../../../ui/toolbar.tsx';
import { savedViews, viewWrites } from '../queries.ts';
import { type OrderFilters, readFilters } from '../search.ts';

const t = ordersText.views;

/** The views that every shop has. A late order should have been delivered by yesterday, and was not sent. */
export function builtInViews(yesterday: string): readonly { name: string; filters: OrderFilters }[] {
  return [
    { name: ordersText.all, filters: {} },
    { name: t.toSend, filters: { status: 'processing' } },
    { name: t.late, filters: { status: 'processing', delivery_to: yesterday } },
    { name: t.failed, filters: { payment: 'failed' } },
    { name: t.cancelled, filters: { status: 'cancelled' } },
  ];
}

type TabsProps = {
  filters: OrderFilters;
  view: number | undefined;
  yesterday: string;
  go(filters: OrderFilters, view?: View): void;
};

/** One's way through the list: the views that every shop has, one's own, and those that others share. */
export function ViewTabs({ filters, view, yesterday, go }: TabsProps) {
  const saved = useQuery(savedViews);
  return (
    <>
      {builtInViews(yesterday).map(({ name, filters: its }) => (
        <ViewTab key={name} isOn={view === undefined && isSame(filters, its)} onClick={() => go(its)}>
          {name}
        </ViewTab>
      ))}
      {saved.data?.map((one) => (
        <ViewTab key={one.id} isOn={view === one.id} onClick={() => go(readFilters(one.search), one)}>
          {one.name}
          {one.own ? null : <span className="muted"> · {t.shared}</span>}
        </ViewTab>
      ))}
    </>
  );
}

type ActsProps = {
  filters: OrderFilters;
  view: View | undefined;
  columns: readonly string[] | null;
  opened(view: View | null): void;
};

/** Saves what is filtered and shown under a name; changes or deletes the view that is open. */
export function ViewActs({ filters, view, columns, opened }: ActsProps) {
  const queries = useQueryClient();
  const actsAsOwner = useActsAsOwner();
  const [isSaving, setSaving] = useState(false);
  const refresh = () => queries.invalidateQueries({ queryKey: ['me.list_views'] });
  const update = useMutation({
    mutationFn: ({ id }: View) => viewWrites.update(id, filters, columns && [...columns]),
    onSuccess: refresh,
  });
  const mayChange = view !== undefined && (view.own || actsAsOwner);
  const isChanged =
    view !== undefined && !(isSame(filters, readFilters(view.search)) && JSON.stringify(view.columns) === JSON.stringify(columns));
  return (
    <>
      {mayChange && isChanged ? (
        <Button kind="quiet" disabled={update.isPending} onClick={() => update.mutate(view)}>
          {t.update(view.name)}
        </Button>
      ) : null}
      {mayChange ? (
        <Remove
          name={view.name}
          act={t.remove}
          title={t.removeTitle(view.name)}
          kind="quiet"
          run={() => viewWrites.remove(view.id)}
          onDone={() => {
            opened(null);
            return refresh();
          }}
        >
          <p>{view.shared ? t.removeShared : t.removeOwn}</p>
        </Remove>
      ) : null}
      {view === undefined || isChanged ? (
        <Button kind="quiet" onClick={() => setSaving(true)}>
          {t.save}
        </Button>
      ) : null}
      {update.error ? <Problem error={update.error} /> : null}
      {isSaving ? (
        <SaveView
          filters={filters}
          columns={columns}
          close={() => setSaving(false)}
          saved={async (made) => {
            await refresh();
            setSaving(false);
            opened(made);
          }}
        />
      ) : null}
    </>
  );
}

type SaveProps = Pick<ActsProps, 'filters' | 'columns'> & { close(): void; saved(view: View): Promise<void> };

function SaveView({ filters, columns, close, saved }: SaveProps) {
  const form = useRecordForm({
    values: { name: '', shared: false },
    send: ({ name, shared }, options) => viewWrites.create(name, filters, columns && [...columns], shared, options),
    onSaved: saved,
  });
  return (
    <Dialog title={t.save} close={close}>
      <Form label={t.save} form={form} submit={t.saveSubmit} canSendUnedited>
        <TextField label={t.name} autoFocus {...form.text('name')} />
        <Tick label={t.share} checked={form.values.shared} onValue={(shared) => form.set('shared', shared)} />
      </Form>
    </Dialog>
  );
}
