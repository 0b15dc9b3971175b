import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { openTypes, type Types } from '../../../editor/types-client.ts';
import { useMay, useMe } from '../../../parts/shop.ts';
import { taskRecord } from '../../../parts/tasks.ts';
import { editorText as t } from '../../../texts/editor.ts';
import { Empty, Skeleton } from '../../../ui/page.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { type TaskDetail, versionRecord } from '../queries.ts';
import { EditorDesk } from './desk.tsx';
import { type Draft, readDraft } from './drafts.ts';
import { valuesOf } from './version-values.ts';

const route = getRouteApi('/tasks/$id/editor');

/** The newest version of a task, or this admin's draft of it, to be written on. */
export function EditorPage() {
  const id = Number(route.useParams().id);
  const { id: admin } = useMe();
  const mayWrite = useMay()('admin_api.ai_tasks.write');
  const types = useTypes(mayWrite);
  const task = useQuery(taskRecord(id));
  const draft = useQuery({
    queryKey: ['draft', admin, id],
    // A browser that keeps no drafts is no reason not to write.
    queryFn: () => readDraft(admin, id).catch(() => null),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchInterval: false,
  });
  if (!mayWrite) return <Empty title={t.mayNotWrite} />;
  if (task.error && !task.data) return <Problem error={task.error} retry={() => void task.refetch()} />;
  if (!task.data || draft.data === undefined || !types) return <Skeleton rows={12} />;
  return <WithVersions key={id} types={types} detail={task.data.value} draft={draft.data} />;
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
  const newest = versions.reduce((a, b) => (b.version > a.version ? b : a));
  // What is written stays on the version that it began from, however many come after it.
  const [baseId, setBaseId] = useState(versions.some(({ id }) => id === draft?.base) ? (draft?.base ?? newest.id) : newest.id);
  const base = useQuery(versionRecord(task.id, baseId));
  if (!base.data) return base.error ? <Problem error={base.error} retry={() => void base.refetch()} /> : <Skeleton rows={12} />;
  const own = draft && draft.base === baseId ? draft : null;
  return (
    <EditorDesk
      detail={detail}
      types={types}
      newest={newest}
      base={base.data}
      start={{ ...valuesOf(base.data), ...own }}
      setBaseId={setBaseId}
    />
  );
}
