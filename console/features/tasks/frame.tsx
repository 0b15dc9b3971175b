import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Tagged } from '../../api/client.ts';
import { useMay } from '../../parts/shop.ts';
import { taskRecord } from '../../parts/tasks.ts';
import { tasksText as t } from '../../texts/tasks.ts';
import { PageHead, Skeleton } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Banner, bringIntoView } from '../../ui/tabs.tsx';
import type { TaskDetail } from './queries.ts';
import './page.css';

type Props = {
  id: number;
  acts?: ReactNode;
  children(task: Tagged<TaskDetail>): ReactNode;
};

/** What all pages of one task have: its name, what it is about, and the way to its other pages. */
export function TaskFrame({ id, acts, children }: Props) {
  const record = useQuery(taskRecord(id));
  if (!record.data) return record.error ? <Problem error={record.error} retry={() => void record.refetch()} /> : <Skeleton />;
  const { task } = record.data.value;
  return (
    <>
      <PageHead title={task.name} note={task.description || t.page.noDescription}>
        {acts}
      </PageHead>
      {task.deleted_at === null ? null : <Banner tone="plain">{t.page.isDeleted}</Banner>}
      <TaskTabs id={id} />
      {record.error ? <Problem error={record.error} retry={() => void record.refetch()} /> : null}
      {children(record.data)}
    </>
  );
}

const WRITE = 'admin_api.ai_tasks.write';
const pages = [
  ['/tasks/$id', t.tabs.overview],
  ['/tasks/$id/editor', t.tabs.editor, WRITE],
  ['/tasks/$id/schedules', t.tabs.schedules],
  ['/tasks/$id/triggers', t.tabs.triggers],
  ['/tasks/$id/hooks', t.tabs.hooks],
  ['/tasks/$id/settings', t.tabs.settings],
] as const;

export function TaskTabs({ id }: { id: number }) {
  const may = useMay();
  const shown = pages.filter(([, , permission]) => permission === undefined || may(permission));
  return (
    <nav className="tabs" aria-label={t.title}>
      {shown.map(([to, name]) => (
        <Link
          key={to}
          to={to}
          params={{ id: String(id) }}
          className="tab"
          activeOptions={{ exact: true, includeSearch: false }}
          activeProps={{ 'aria-current': 'page' }}
        >
          {({ isActive }) => <span ref={isActive ? bringIntoView : undefined}>{name}</span>}
        </Link>
      ))}
    </nav>
  );
}
