import type { ReactNode } from 'react';
import type { JsonObject } from '../../../../contract/run-events.ts';
import type { ParameterDeclaration } from '../../../../contract/tasks.ts';
import type { Blank } from '../../../parts/blanks.ts';
import { ListPage, type RowsQuery } from '../../../parts/list-page.tsx';
import { ParameterFields } from '../../../parts/parameter-form.tsx';
import { type RecordKind, recordSheet } from '../../../parts/record-sheet.tsx';
import { defined, type ListSearch, type Patch } from '../../../parts/search.ts';
import { useMay } from '../../../parts/shop.ts';
import { tasksText } from '../../../texts/tasks.ts';
import { Status } from '../../../ui/status.tsx';
import type { Column } from '../../../ui/table.tsx';
import { Banner } from '../../../ui/tabs.tsx';
import { TaskFrame } from '../frame.tsx';
import type { TaskDetail } from '../queries.ts';

type Starter = { id: number; enabled: boolean; last_error: string | null };

type Props<Row extends Starter, V extends object, Made extends { id: number }> = {
  taskId: number;
  search: ListSearch;
  go(change: (old: ListSearch) => ListSearch): void;
  title: string;
  list(taskId: number): RowsQuery<Row>;
  columns: readonly Column<Row>[];
  nameOf(row: Row): string;
  texts: { empty: string; create: string };
  blank: Blank;
  kind(detail: TaskDetail, mayWrite: boolean): RecordKind<Row, V, Made>;
};

/** All schedules, triggers or hooks of a task, with the sheet of the one that is open or new. */
export function StartsPage<Row extends Starter, V extends object, Made extends { id: number } = Row>(props: Props<Row, V, Made>) {
  const { taskId, search, go, title, list, columns, nameOf, texts, blank, kind } = props;
  const may = useMay();
  const patch: Patch<ListSearch> = (change) => go((old) => defined({ ...old, ...change }));
  return (
    <TaskFrame id={taskId}>
      {({ value: detail }) => {
        const mayChange = may('admin_api.ai_tasks.write') && detail.task.deleted_at === null;
        return (
          <ListPage
            title={title}
            search={search}
            patch={patch}
            page={() => list(taskId)}
            columns={[...columns, { name: 'state', head: tasksText.schedules.columns.state, cell: (row) => <State {...row} /> }]}
            nameOf={nameOf}
            empty={texts.empty}
            blank={blank}
            create={mayChange ? texts.create : undefined}
            sheet={() =>
              recordSheet(kind(detail, mayChange), {
                id: search.open,
                mayChange,
                close: () => patch({ open: undefined, new: undefined }),
                open: (made) => patch({ open: made, new: undefined }),
              })
            }
          />
        );
      }}
    </TaskFrame>
  );
}

function State({ enabled, last_error }: Starter) {
  const t = tasksText.schedules;
  if (!enabled) return <Status tone="rest">{t.off}</Status>;
  return last_error === null ? <span className="muted">{t.on}</span> : <Status tone="fail">{t.failed}</Status>;
}

/** Why the last time started no run. */
export function LastError({ words, error }: { words: string; error: string | null }) {
  return error === null ? null : (
    <Banner tone="fail">
      <strong>{words}</strong> {error}
    </Banner>
  );
}

type GivenProps = {
  declarations: readonly ParameterDeclaration[];
  form: { values: { parameters: JsonObject }; set(name: 'parameters', value: JsonObject): void; errorAt(name: string): string | undefined };
};

/** The parameters that the runs are given. */
export function GivenParameters({ declarations, form }: GivenProps): ReactNode {
  return (
    <div className="fields">
      <ParameterFields
        declarations={declarations}
        values={form.values.parameters}
        onValues={(parameters) => form.set('parameters', parameters)}
        errorAt={form.errorAt}
      />
    </div>
  );
}
