import type { View } from '../../../contract/views.ts';
import type { Choice } from '../../ui/choice.ts';
import type { Column } from '../../ui/table.tsx';
import { ColumnMenu, useColumns } from './columns.tsx';
import { useViews, ViewActs, type ViewedList, ViewTabs } from './views.tsx';

export type ListDescription<F extends object, Row> = ViewedList<F> & {
  /** The views that every shop has. */
  builtIn: readonly { name: string; filters: F }[];
  /** All columns in their order; those that are shown by themselves; the one that always stays. */
  columns: readonly Column<Row>[];
  usual: readonly string[];
  fixed: string;
  /** The columns of this browser, where no saved view says which. */
  kept: Choice;
};

type State<F> = {
  filters: F;
  view: number | undefined;
  /** Shows what these filters find, as the view that is open. */
  go(filters: F, view: number | undefined): void;
};

/** What a `ListPage` shows of views and columns: its row of views, the acts at the end of its filters, the columns that are chosen. */
export function useViewedList<F extends object, Row>(list: ListDescription<F, Row>, { filters, view: viewId, go }: State<F>) {
  const view = useViews(list.screen)?.find(({ id }) => id === viewId);
  const columns = useColumns(list.kept, list.usual, view, viewId);
  return {
    views: (
      <ViewTabs list={list} builtIn={list.builtIn} filters={filters} view={viewId} go={(its: F, saved?: View) => go(its, saved?.id)} />
    ),
    acts: (
      <>
        <ViewActs list={list} filters={filters} view={view} columns={columns.chosen} opened={(made) => go(filters, made?.id)} />
        <ColumnMenu all={list.columns} fixed={list.fixed} shown={columns.shown} set={columns.set} />
      </>
    ),
    columns: list.columns.filter(({ name }) => columns.shown.includes(name)),
  };
}
