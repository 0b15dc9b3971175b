import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { declaredOf } from '../../../contract/declared.ts';
import { api } from '../../api/client.ts';
import { decisionsText as t } from '../../texts/decisions.ts';
import { countedKinds } from '../../texts/kinds.ts';
import { permissionText } from '../../texts/permissions.ts';
import { Button } from '../../ui/button.tsx';
import { MarkedText } from '../../ui/marked-text.tsx';
import { isWeighty } from '../../ui/permission-areas.ts';
import { listOf, type Members, membersOf, numberOf, textOf } from './members.ts';

/** So much of a hash is shown; the whole of it when it is pointed at, and in the clipboard. */
const SHOWN = 12;

export function Hash({ name, value }: { name: string; value: string }) {
  const [isCopied, setCopied] = useState(false);
  async function copy(): Promise<void> {
    await navigator.clipboard.writeText(value);
    setCopied(true);
  }
  return (
    <span className="hash">
      <code title={value}>{value.slice(0, SHOWN)}…</code>
      <span className="visually-hidden">{t.hash(name, value)}</span>
      <Button kind="quiet" aria-label={`${t.copy}: ${name}`} onClick={() => void copy().catch(() => undefined)}>
        {isCopied ? t.copied : t.copy}
      </Button>
    </span>
  );
}

/** What somebody may, in words; null: as the person may. */
export function Rights({ isOwner, permissions }: { isOwner: boolean; permissions: unknown }) {
  if (isOwner) return t.everythingOwner;
  if (permissions === null) return t.everything;
  return <Permissions permissions={listOf(permissions).map(textOf)} mark="" />;
}

function Permissions({ permissions, mark }: { permissions: readonly string[]; mark: '' | '+' | '−' }) {
  if (permissions.length === 0) return t.nothing;
  return (
    <ul className="may">
      {permissions.map((one) => (
        <li key={one} title={one} className={mark === '+' && isWeighty(one) ? 'weighs' : undefined}>
          {mark === '' ? null : <span aria-hidden="true">{mark} </span>}
          <MarkedText text={permissionText(one)} />
        </li>
      ))}
    </ul>
  );
}

export function PermissionsChanged({ before, after }: { before: unknown; after: unknown }) {
  const [had, has] = [listOf(before).map(textOf), listOf(after).map(textOf)];
  return (
    <>
      <MayGroup head={t.facts.gains} permissions={has.filter((one) => !had.includes(one))} mark="+" />
      <MayGroup head={t.facts.loses} permissions={had.filter((one) => !has.includes(one))} mark="−" />
    </>
  );
}

function MayGroup({ head, permissions, mark }: { head: string; permissions: readonly string[]; mark: '' | '+' | '−' }) {
  if (permissions.length === 0) return null;
  return (
    <div className="may-group">
      <span className="muted">{head}</span>
      <Permissions permissions={permissions} mark={mark} />
    </div>
  );
}

/** What a version may: first what is new against the one that runs, where that can be read. */
export function May({ taskId, version }: { taskId: number | null; version: Members }) {
  const grants = membersOf(version['grants']);
  const texts = (value: unknown): string[] => listOf(value).map(textOf);
  const all = declaredOf({
    permissions: texts(version['permissions']),
    mail_to: texts(grants['mail_to']),
    http_allow: texts(grants['http_allow']),
    secrets: texts(grants['secrets']),
    may_start: listOf(grants['may_start']).map(Number),
  });
  const id = numberOf(version['id']);
  const detail = useQuery({
    queryKey: ['ai_tasks.get_version', taskId, id],
    queryFn: () => api.ai_tasks.get_version(taskId ?? 0, id ?? 0),
    enabled: taskId !== null && id !== null,
  });
  const added = detail.data?.permissions_diff.added ?? [];
  const newly = all.filter((one) => added.includes(one));
  if (newly.length === 0) return <Permissions permissions={all} mark="" />;
  return (
    <>
      <MayGroup head={t.facts.newly} permissions={newly} mark="+" />
      <MayGroup head={t.facts.still} permissions={all.filter((one) => !newly.includes(one))} mark="" />
    </>
  );
}

/** So many writes are looked at to tell their kinds. */
const WRITES_MAX = 1000;

/** How many writes a plan has and what they change; of a part of it, how many were picked. */
export function PlanWrites({ taskId, plan, rows }: { taskId: number | null; plan: Members; rows: unknown }) {
  const runId = numberOf(plan['run_id']);
  const writes = numberOf(plan['writes']) ?? 0;
  const isPart = Array.isArray(rows) && rows.length < writes;
  const effects = useQuery({
    queryKey: ['ai_tasks.list_effects', taskId, runId, { limit: WRITES_MAX }],
    queryFn: () => api.ai_tasks.list_effects(taskId ?? 0, runId ?? 0, { limit: WRITES_MAX }),
    enabled: !isPart && taskId !== null && runId !== null && writes <= WRITES_MAX,
  });
  if (isPart) return t.picked(rows.length, writes);
  if (!effects.data?.length) return t.writes(writes);
  const byKind = Map.groupBy(effects.data, ({ resource }) => resource.type);
  return t.writesOf(writes, countedKinds(Object.fromEntries([...byKind].map(([kind, some]) => [kind, some.length]))));
}
