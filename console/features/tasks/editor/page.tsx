import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { openTypes, type Types } from '../../../editor/types-client.ts';
import { defined } from '../../../parts/search.ts';
import { useMay, useMe } from '../../../parts/shop.ts';
import { taskRecord } from '../../../parts/tasks.ts';
import { editorText as t } from '../../../texts/editor.ts';
import { Empty } from '../../../ui/empty.tsx';
import { Skeleton } from '../../../ui/page.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { type TaskDetail, versionRecord } from '../queries.ts';
import { EditorDesk } from './desk.tsx';
import { type Draft, readDraft } from './drafts.ts';
import { NOTHING_YET, valuesOf } from './version-values.ts';

const route = getRouteApi('/tasks/$id/editor');
const newRoute = getRouteApi('/tasks/new/empty');

/** A task that there is not yet: it is made, with its first version, when that is submitted. */
export function NewTaskPage() {
  const search = newRoute.useSearch();
  const navigate = newRoute.useNavigate();
  const { mayWrite, types, draft } = useDesk(0);
  if (!mayWrite) return <Empty drawing="lock" title={t.mayNotWrite} />;
  if (draft === undefined || !types) return <Skeleton rows={12} />;
  return (
    <EditorDesk
      task={null}
      types={types}
      newest={null}
      base={NOTHING_YET}
      start={{ ...NOTHING_YET.values, ...draft }}
      thread={search.thread}
      setThread={(open, isSame) => void navigate({ search: (was) => defined({ ...was, thread: open }), replace: isSame })}
      beside={search.beside ?? 'permissions'}
      setBeside={(beside) => void navigate({ search: (was) => ({ ...was, beside }), replace: true })}
    />
  );
}

/** The newest version of a task, or this admin's draft of it, to be written on. */
export function EditorPage() {
  const id = Number(route.useParams().id);
  const task = useQuery(taskRecord(id));
  const { mayWrite, types, draft } = useDesk(id);
  if (!mayWrite) return <Empty drawing="lock" title={t.mayNotWrite} />;
  if (task.error && !task.data) return <Problem error={task.error} retry={() => void task.refetch()} />;
  if (!task.data || draft === undefined || !types) return <Skeleton rows={12} />;
  return <WithVersions key={id} types={types} detail={task.data.value} draft={draft} />;
}

/** What a draft is written with. `taskId`: 0 for a task that there is not yet. */
function useDesk(taskId: number) {
  const { id: admin } = useMe();
  const mayWrite = useMay()('admin_api.ai_tasks.write');
  const types = useTypes(mayWrite);
  const { data: draft } = useQuery({
    queryKey: ['draft', admin, taskId],
    // A browser that keeps no drafts is no reason not to write.
    queryFn: () => readDraft(admin, taskId).catch(() => null),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchInterval: false,
  });
  return { mayWrite, types, draft };
}

/** TypeScript, which starts while the page still asks for the version. The editor itself is loaded beside it. */
function useTypes(isNeeded: boolean): Types | null {
  const [types, setTypes] = useState<Types | null>(null);
  useEffect(() => {
    if (!isNeeded) return;
    const opened = openTypes();
    setTypes(opened);
    // Where it fails, the editor loads it again and says why it cannot.
    import('../../../editor/mount.ts').catch(() => undefined);
    return () => opened.close();
  }, [isNeeded]);
  return types;
}

function WithVersions({ types, detail, draft }: { types: Types; detail: TaskDetail; draft: Draft | null }) {
  const { task, versions } = detail;
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const newest = versions.reduce((a, b) => (b.version > a.version ? b : a));
  // What is written stays on the version that it began from, however many come after it.
  const [baseId, setBaseId] = useState(versions.some(({ id }) => id === draft?.base) ? (draft?.base ?? newest.id) : newest.id);
  const base = useQuery(versionRecord(task.id, baseId));
  if (!base.data) return base.error ? <Problem error={base.error} retry={() => void base.refetch()} /> : <Skeleton rows={12} />;
  const own = draft && draft.base === baseId ? draft : null;
  const values = valuesOf(base.data);
  return (
    <EditorDesk
      task={task}
      types={types}
      newest={newest}
      base={{ id: baseId, version: base.data.version, values }}
      start={{ ...values, ...own }}
      setBaseId={setBaseId}
      thread={search.thread}
      setThread={(open, isSame) => void navigate({ search: (was) => defined({ ...was, thread: open }), replace: isSame })}
      beside={search.beside ?? 'permissions'}
      setBeside={(beside) => void navigate({ search: (was) => ({ ...was, beside }), replace: true })}
    />
  );
}
