import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { CallOptions } from '../../../contract/calls.ts';
import type { View } from '../../../contract/views.ts';
import { api } from '../../api/client.ts';
import { listActsText } from '../../texts/list-acts.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField, Tick } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Problem } from '../../ui/problem.tsx';
import { ViewTab } from '../../ui/toolbar.tsx';
import { queryOf } from '../queries.ts';
import { useRecordForm } from '../record-form.ts';
import { Remove } from '../remove.tsx';
import { isSame, type Search } from '../search.ts';
import { useActsAsOwner } from '../shop.ts';
import type { ChosenColumns } from './columns.tsx';

const t = listActsText.views;
const MINUTE_MS = 60_000;

/** A list whose filters can be kept as views. */
export type ViewedList<F extends object> = {
  /** As the API names the list. */
  screen: string;
  /** Reads filters from an address or a saved view. */
  read(raw: Search): F;
};

const savedViews = queryOf('me.list_views', api.me.list_views, { staleTime: MINUTE_MS });

/** The saved views of a list: one's own and those that others share. */
export function useViews(screen: string): readonly View[] | undefined {
  return useQuery(savedViews({ screen })).data;
}

type TabsProps<F extends object> = {
  list: ViewedList<F>;
  /** The views that every shop has. */
  builtIn: readonly { name: string; filters: F }[];
  filters: F;
  view: number | undefined;
  go(filters: F, view?: View): void;
};

/** One's way through the list: the views that every shop has, one's own, and those that others share. */
export function ViewTabs<F extends object>({ list, builtIn, filters, view, go }: TabsProps<F>) {
  const saved = useViews(list.screen);
  return (
    <>
      {builtIn.map(({ name, filters: its }) => (
        <ViewTab key={name} isOn={view === undefined && isSame(filters, its)} onClick={() => go(its)}>
          {name}
        </ViewTab>
      ))}
      {saved?.map((one) => (
        <ViewTab key={one.id} isOn={view === one.id} onClick={() => go(list.read(one.search), one)}>
          {one.name}
          {one.own ? null : <span className="muted"> · {t.shared}</span>}
        </ViewTab>
      ))}
    </>
  );
}

type ActsProps<F extends object> = {
  list: ViewedList<F>;
  filters: F;
  view: View | undefined;
  columns: ChosenColumns;
  opened(view: View | null): void;
};

/** Saves what is filtered and shown under a name; changes or deletes the view that is open. */
export function ViewActs<F extends object>({ list, filters, view, columns, opened }: ActsProps<F>) {
  const queries = useQueryClient();
  const actsAsOwner = useActsAsOwner();
  const [isSaving, setSaving] = useState(false);
  const refresh = () => queries.invalidateQueries({ queryKey: ['me.list_views'] });
  const update = useMutation({
    mutationFn: ({ id }: View) => api.me.update_view(id, kept(filters, columns)),
    onSuccess: refresh,
  });
  const mayChange = view !== undefined && (view.own || actsAsOwner);
  const isChanged =
    view !== undefined && !(isSame(filters, list.read(view.search)) && JSON.stringify(view.columns) === JSON.stringify(columns));
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
          run={() => api.me.delete_view(view.id)}
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
          create={(values, options) => api.me.create_view({ screen: list.screen, ...values, ...kept(filters, columns) }, options)}
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

/** What a view keeps, as the API takes it. */
function kept(filters: object, columns: ChosenColumns) {
  return { search: { ...filters }, columns: columns && [...columns] };
}

type SaveProps = {
  create(values: { name: string; shared: boolean }, options: CallOptions): Promise<View>;
  close(): void;
  saved(view: View): Promise<void>;
};

function SaveView({ create, close, saved }: SaveProps) {
  const form = useRecordForm({ values: { name: '', shared: false }, send: create, onSaved: saved });
  return (
    <Dialog title={t.save} close={close}>
      <Form label={t.save} form={form} submit={t.saveSubmit} canSendUnedited>
        <TextField label={t.name} autoFocus {...form.text('name')} />
        <Tick label={t.share} checked={form.values.shared} onValue={(shared) => form.set('shared', shared)} />
      </Form>
    </Dialog>
  );
}
