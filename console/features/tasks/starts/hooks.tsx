import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { Hook } from '../../../../contract/hooks.ts';
import { without } from '../../../parts/search.ts';
import { useMay } from '../../../parts/shop.ts';
import { hooksText as t } from '../../../texts/hooks.ts';
import { tasksText } from '../../../texts/tasks.ts';
import { Button } from '../../../ui/button.tsx';
import { List } from '../../../ui/list.tsx';
import { WithSheet } from '../../../ui/sheet.tsx';
import { useShortcuts } from '../../../ui/shortcuts.ts';
import { Status } from '../../../ui/status.tsx';
import type { Column } from '../../../ui/table.tsx';
import { Toolbar } from '../../../ui/toolbar.tsx';
import { TaskFrame } from '../frame.tsx';
import { type TaskDetail, taskHooks } from '../queries.ts';
import { type Address, HookSheet, NewHook } from './hook-sheet.tsx';

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
  const go = route.useNavigate();
  const mayWrite = useMay()('admin_api.ai_tasks.write') && detail.task.deleted_at === null;
  const hooks = useQuery(taskHooks(detail.task.id));
  const [address, setAddress] = useState<Address | null>(null);
  const create = (): void => void go({ search: { new: true } });
  const close = (): void => void go({ search: without(search, 'open', 'new') });
  useShortcuts({
    ...(mayWrite ? { n: create } : {}),
    ...(search.open === undefined && !search.new ? {} : { escape: close }),
  });
  function made(open: number, shown: Address): void {
    setAddress(shown);
    void go({ search: { open }, ignoreBlocker: true });
  }
  const createButton = mayWrite ? (
    <Button kind="first" keys="n" onClick={create}>
      {t.create}
    </Button>
  ) : null;
  const sheet =
    search.new && mayWrite ? (
      <NewHook detail={detail} close={close} made={made} />
    ) : search.open === undefined ? null : (
      <HookSheet
        key={search.open}
        detail={detail}
        hookId={search.open}
        mayWrite={mayWrite}
        address={address}
        tell={setAddress}
        close={close}
      />
    );
  return (
    <WithSheet sheet={sheet}>
      <Toolbar>{hooks.data?.length ? createButton : null}</Toolbar>
      <List
        label={tasksText.tabs.hooks}
        query={hooks}
        columns={columns}
        idOf={(hook) => hook.id}
        nameOf={({ name }) => name}
        open={search.open}
        onOpen={(hook) => void go({ search: { open: hook.id } })}
        empty={t.empty}
        emptyAct={createButton}
      />
    </WithSheet>
  );
}
