import { getRouteApi } from '@tanstack/react-router';
import { type FieldRows, Fields, fieldLabels } from '../../parts/fields.tsx';
import { ListPage, PAGE_SIZE, rowsQuery } from '../../parts/list-page.tsx';
import { type RecordKind, recordSheet } from '../../parts/record-sheet.tsx';
import { Remove } from '../../parts/remove.tsx';
import { defined, type ListSearch, type Patch } from '../../parts/search.ts';
import { useMay } from '../../parts/shop.ts';
import { libraryText as t } from '../../texts/library.ts';
import type { Kind } from './kind.ts';
import './page.css';

/** The page of one kind of records: its list, and a sheet with the form of the one that is open or new. */
export function libraryPage<Row extends { id: number }, V extends object>(kind: Kind<Row, V>) {
  const route = getRouteApi(kind.path);
  const record = recordKindOf(kind);
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
        note={kind.texts.count}
        search={search}
        patch={patch}
        page={(cursor) => {
          const query = { per_page: PAGE_SIZE, ...defined({ search: search.q, cursor }) };
          return rowsQuery(`${kind.resource}.list`, query, () => kind.calls.list(query));
        }}
        columns={kind.columns}
        nameOf={kind.nameOf}
        searchLabel={kind.texts.search}
        empty={kind.texts.empty}
        blank={kind.blank}
        create={mayChange ? kind.texts.create : undefined}
        sheet={(steps) =>
          recordSheet(record, { id: search.open, steps, mayChange, close, open: (id) => patch({ open: id, new: undefined }) })
        }
      />
    );
  };
}

/** A new record is written from its first field on. */
function beganWith<V extends object>([first, ...others]: FieldRows<V>): FieldRows<V> {
  if (first === undefined) return [];
  return ['kind' in first ? { ...first, autoFocus: true } : first, ...others];
}

/** The kind as its sheet needs it. */
function recordKindOf<Row extends { id: number }, V extends object>(kind: Kind<Row, V>): RecordKind<Row, V> {
  const { resource, texts, creation, Above, Removal, nameOf, valuesOf, update } = kind;
  return {
    ...{ nameOf, valuesOf, update, get: kind.calls.get },
    resources: [resource],
    key: [`${resource}.get`],
    creation:
      'View' in creation
        ? { title: texts.create, view: (done) => <creation.View done={done} /> }
        : { title: texts.create, submit: t.add, start: () => creation.start, create: creation.create },
    fields: (form, isNew) => <Fields fields={isNew ? beganWith(kind.fields) : kind.fields} form={form} />,
    labelOf: fieldLabels(kind.fields),
    above: (row) => (Above ? <Above row={row} /> : null),
    acts: (row, removed) =>
      Removal ? (
        <Removal row={row} done={removed} />
      ) : (
        <Remove name={nameOf(row)} run={() => kind.calls.delete(row.id)} onDone={removed}>
          {texts.removal === undefined ? null : <p>{texts.removal}</p>}
        </Remove>
      ),
  };
}
