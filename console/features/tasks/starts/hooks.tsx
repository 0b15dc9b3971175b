import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { Hook } from '../../../../contract/hooks.ts';
import { ListPage } from '../../../parts/list-page.tsx';
import { recordSheet } from '../../../parts/record-sheet.tsx';
import { defined, type ListSearch, type Patch } from '../../../parts/search.ts';
import { useMay, useShop } from '../../../parts/shop.ts';
import { hooksText as t } from '../../../texts/hooks.ts';
import { tasksText } from '../../../texts/tasks.ts';
import { Status } from '../../../ui/status.tsx';
import type { Column } from '../../../ui/table.tsx';
import { TaskFrame } from '../frame.tsx';
import { hooks, type TaskDetail } from '../queries.ts';
import { type Address, type Answer, hookKind } from './hook-sheet.tsx';

const route = getRouteApi('/tasks/$id/hooks');

const columns: Column<Hook>[] = [
  { name: 'name', head: t.columns.name, cell: ({ name }) => name },
  {
    name: 'signed',
    head: t.columns.signed,
    cell: ({ verify }) => (verify === null ? <span className="muted">{t.notSigned}</span> : t.presetNames[verify.preset]),
    isMinor: true,
  },
  { name: 'state', head: t.columns.state, cell: (hook) => <State hook={hook} /> },
];

function State({ hook: { enabled, last_error } }: { hook: Hook }) {
  if (!enabled) return <Status tone="rest">{t.off}</Status>;
  return last_error === null ? <span className="muted">{t.on}</span> : <Status tone="fail">{t.failed}</Status>;
}

export function HooksPage() {
  const id = Number(route.useParams().id);
  return <TaskFrame id={id}>{({ value }) => <Hooks detail={value} />}</TaskFrame>;
}

function Hooks({ detail }: { detail: TaskDetail }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { public_url } = useShop();
  const mayWrite = useMay()('admin_api.ai_tasks.write') && detail.task.deleted_at === null;
  const [address, setAddress] = useState<Address | null>(null);
  const patch: Patch<ListSearch> = (change) => void navigate({ search: (old) => defined({ ...old, ...change }) });
  const told = ({ id, url_path }: Answer): void =>
    setAddress({ hookId: id, url: url_path === null ? null : `${public_url ?? location.origin}${url_path}` });
  return (
    <ListPage
      title={tasksText.tabs.hooks}
      search={search}
      patch={patch}
      page={() => hooks(detail.task.id).list}
      columns={columns}
      nameOf={({ name }) => name}
      empty={t.empty}
      create={mayWrite ? t.create : undefined}
      sheet={() =>
        recordSheet(hookKind(detail, { mayWrite, address, told, hide: () => setAddress(null) }), {
          id: search.open,
          mayChange: mayWrite,
          close: () => patch({ open: undefined, new: undefined }),
          open: (made) => patch({ open: made, new: undefined }),
        })
      }
    />
  );
}
