import { queryOptions, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type Tagged, tagged } from '../../api/client.ts';
import { Fields, fieldLabels } from '../../parts/fields.tsx';
import { ListPage, PAGE_SIZE, rowsQuery, type Steps } from '../../parts/list-page.tsx';
import { useRecordForm } from '../../parts/record-form.ts';
import { useReload } from '../../parts/reload.ts';
import { Remove } from '../../parts/remove.tsx';
import { defined, type ListSearch, type Patch } from '../../parts/search.ts';
import { useMay } from '../../parts/shop.ts';
import { Unsaved } from '../../parts/unsaved.tsx';
import { libraryText as t } from '../../texts/library.ts';
import { Form } from '../../ui/form.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import type { Kind } from './kind.ts';
import './page.css';

const counts = new Intl.NumberFormat('en');

/** The page of one kind of records: its list, and a sheet with the form of the one that is open or new. */
export function libraryPage<Row extends { id: number }, V extends object>(kind: Kind<Row, V>) {
  const route = getRouteApi(kind.path);
  return function LibraryPage() {
    const search = route.useSearch();
    const navigate = route.useNavigate();
    const may = useMay();
    const mayChange = may(`admin_api.${kind.resource}.write`);
    const patch: Patch<ListSearch> = (change) => void navigate({ search: defined({ ...search, ...change }) });
    const close = (): void => patch({ open: undefined, new: undefined });
    return (
      <ListPage
        title={kind.texts.title}
        note={(total) => kind.texts.count(counts.format(total))}
        search={search}
        patch={patch}
        page={(cursor) => {
          const query = { per_page: PAGE_SIZE, ...defined({ search: search.q, cursor }) };
          return rowsQuery(`${kind.resource}.list`, query, () => kind.list(query));
        }}
        columns={kind.columns}
        nameOf={kind.nameOf}
        searchLabel={kind.texts.search}
        empty={kind.texts.empty}
        create={mayChange ? kind.texts.create : undefined}
        sheet={(steps) =>
          search.open === undefined ? (
            <NewSheet kind={kind} close={close} open={(id) => patch({ open: id, new: undefined })} />
          ) : (
            <KnownSheet key={search.open} kind={kind} id={search.open} steps={steps} mayChange={mayChange} close={close} />
          )
        }
      />
    );
  };
}

type OfKind<Row extends { id: number }, V extends object> = { kind: Kind<Row, V>; close(): void };

function NewSheet<Row extends { id: number }, V extends object>({ kind, close, open }: OfKind<Row, V> & { open(id: number): void }) {
  const reload = useReload();
  const { creation, texts } = kind;
  const done = (row?: { id: number }): void => {
    void reload(kind.resource);
    if (row) open(row.id);
    else close();
  };
  return (
    <Sheet title={texts.create} close={close}>
      {'View' in creation ? <creation.View done={() => done()} /> : <NewForm kind={kind} {...creation} done={done} />}
    </Sheet>
  );
}

type NewProps<Row extends { id: number }, V extends object> = {
  kind: Kind<Row, V>;
  start: V;
  create(values: V, options: { headers?: Record<string, string> }): Promise<Row>;
  done(row: Row): void;
};

function NewForm<Row extends { id: number }, V extends object>({ kind, start, create, done }: NewProps<Row, V>) {
  const form = useRecordForm({ values: start, send: create, onSaved: done });
  return (
    <>
      <Form label={kind.texts.create} form={form} submit={t.add} canSendUnedited>
        <Fields fields={kind.fields} form={form} />
      </Form>
      <Unsaved isEdited={form.isEdited && !form.isSaving} />
    </>
  );
}

type KnownProps<Row extends { id: number }, V extends object> = OfKind<Row, V> & { id: number; steps: Steps; mayChange: boolean };

function KnownSheet<Row extends { id: number }, V extends object>({ kind, id, steps, mayChange, close }: KnownProps<Row, V>) {
  // The ETag belongs to the answer as a whole, which therefore stays one object.
  const record = useQuery(
    queryOptions({ queryKey: [`${kind.resource}.get`, id], queryFn: () => tagged<Row>(kind.get(id)), structuralSharing: false }),
  );
  return (
    <Sheet title={record.data ? kind.nameOf(record.data.value) : t.loading} close={close} {...steps}>
      <Loaded query={record}>
        {({ value, etag }) => <KnownForm kind={kind} row={value} etag={etag} mayChange={mayChange} close={close} />}
      </Loaded>
    </Sheet>
  );
}

type FormProps<Row extends { id: number }, V extends object> = OfKind<Row, V> & { row: Row; etag: string | undefined; mayChange: boolean };

function KnownForm<Row extends { id: number }, V extends object>({ kind, row, etag, mayChange, close }: FormProps<Row, V>) {
  const reload = useReload();
  const { id } = row;
  const { Above, Removal, valuesOf } = kind;
  const form = useRecordForm({
    values: valuesOf(row),
    etag,
    send: (values, options) => kind.update(id, values, options),
    reread: async (): Promise<Tagged<V>> => {
      const { value, etag: newest } = await tagged<Row>(kind.get(id));
      return { value: valuesOf(value), etag: newest };
    },
    // The record as it was saved then fills the form; of a secret, that empties the field.
    onSaved: () => reload(kind.resource),
  });
  const name = kind.nameOf(row);
  const removed = (): void => {
    close();
    void reload(kind.resource);
  };
  return (
    <>
      {Above ? <Above row={row} /> : null}
      <Form
        label={name}
        form={form}
        isReadOnly={!mayChange}
        nameOf={fieldLabels(kind.fields)}
        acts={
          Removal ? (
            <Removal row={row} done={removed} />
          ) : (
            <Remove name={name} run={() => kind.remove(id)} onDone={removed}>
              {kind.texts.removal === undefined ? null : <p>{kind.texts.removal}</p>}
            </Remove>
          )
        }
      >
        <Fields fields={kind.fields} form={form} />
      </Form>
      <Unsaved isEdited={form.isEdited && !form.isSaving} />
    </>
  );
}
