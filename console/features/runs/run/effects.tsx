import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { Run } from '../../../../contract/runs.ts';
import { blanks } from '../../../parts/blanks.ts';
import { recordPath } from '../../../parts/record-path.ts';
import { Moment } from '../../../parts/values.tsx';
import { countedKind, kindText } from '../../../texts/kinds.ts';
import { runsText } from '../../../texts/runs.ts';
import { undoText } from '../../../texts/undo.ts';
import { Button } from '../../../ui/button.tsx';
import { Change } from '../../../ui/change.tsx';
import { List } from '../../../ui/list.tsx';
import { PathLink } from '../../../ui/path-link.tsx';
import type { Column } from '../../../ui/table.tsx';
import { SelectionPlace } from '../../../ui/toolbar.tsx';
import { type Effect, runEffects } from '../queries.ts';
import { type EffectGroup, groupEffects } from './effect-groups.ts';

const t = runsText.effects;
/** Ids from here on are of rows that exist only in a dry run. */
const STAGED_FROM = 2 ** 52;

export type PlannedWords = { writes: number; text: string };

/** What a dry run would do, in words; null until it is known. */
export function usePlannedWords(run: Run): PlannedWords | null {
  const isPlan = run.dry_run && run.status === 'success' && run.withheld.length === 0;
  const { data, hasNextPage } = useInfiniteQuery({ ...runEffects(run.task_id, run.id, false), enabled: isPlan });
  if (!data) return null;
  const effects = data.pages.flat();
  const types = new Set(effects.map(({ resource }) => resource.type));
  const records = new Set(effects.map(({ resource: { type, id } }) => `${type} ${id}`)).size;
  const [type] = types;
  const words = types.size === 1 && type !== undefined ? countedKind(type, records) : t.records(records);
  return { writes: effects.length, text: runsText.why.plan(effects.length, words, hasNextPage) };
}

/** How many effects the run has, as far as they are loaded; undefined: none, or they are withheld. */
export function useEffectCount(run: Run): number | string | undefined {
  const { data, hasNextPage } = useInfiniteQuery({
    ...runEffects(run.task_id, run.id, run.status === 'running'),
    enabled: run.withheld.length === 0,
  });
  const count = data?.pages.reduce((sum, page) => sum + page.length, 0) ?? 0;
  return hasNextPage ? `${count}+` : count || undefined;
}

type TabProps = { run: Run; undo?: ((effects: number[]) => void) | undefined };

/**
 * Every write of the run with the values before and after: equal ones first, as one row each. Of a dry run, what it would do. `undo`: asks
 * to take some of them back.
 */
export function EffectsTab({ run, undo }: TabProps) {
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const query = useInfiniteQuery(runEffects(run.task_id, run.id, run.status === 'running'));
  const effects = useMemo(() => query.data?.pages.flat(), [query.data]);
  const groups = useMemo(() => groupEffects(effects ?? []), [effects]);
  const columns: Column<Effect>[] = [
    { name: 'what', head: t.columns.what, cell: (effect) => effectWhat(effect, run.dry_run) },
    { name: 'change', head: run.dry_run ? t.columns.planned : t.columns.change, cell: effectChange },
    {
      name: 'call',
      head: t.columns.call,
      cell: ({ method, path }) => (
        <code className="wrap muted">
          {method} {path}
        </code>
      ),
      isMinor: true,
    },
    { name: 'at', head: t.columns.at, cell: ({ at }) => <Moment at={at} kind="second" />, isMinor: true },
  ];
  return (
    <>
      {groups.length > 0 ? <Groups groups={groups} isDry={run.dry_run} loaded={query.hasNextPage ? (effects?.length ?? 0) : null} /> : null}
      <List
        label={run.dry_run ? t.planLabel : t.label}
        query={{ ...query, data: effects }}
        columns={columns}
        idOf={({ call }) => call}
        nameOf={({ path }) => path}
        isDry={run.dry_run}
        {...(undo ? { selection: { ids: selected, set: setSelected } } : {})}
        blank={blanks.ofRun}
        empty={run.dry_run ? t.nonePlanned : t.none}
      />
      {query.hasNextPage ? (
        <div className="more">
          <Button disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {t.more}
          </Button>
        </div>
      ) : null}
      {undo && selected.size > 0 ? (
        <SelectionPlace>
          <section className="bulk" aria-label={undoText.selected(selected.size)}>
            <strong aria-live="polite">{undoText.selected(selected.size)}</strong>
            <Button onClick={() => undo([...selected])}>{undoText.act}</Button>
            <Button kind="quiet" onClick={() => setSelected(new Set())}>
              {undoText.clear}
            </Button>
          </section>
        </SelectionPlace>
      ) : null}
    </>
  );
}

export function Groups({ groups, isDry, loaded }: { groups: readonly EffectGroup[]; isDry: boolean; loaded: number | null }) {
  return (
    <div className={isDry ? 'effect-groups dry' : 'effect-groups'}>
      {loaded === null ? null : <p className="muted">{t.groupsOf(loaded)}</p>}
      <ul>
        {groups.map(({ key, type, count, fields }) => (
          <li key={key}>
            <strong>{countedKind(type, count)}</strong>
            {fields.length === 0 ? <span className="muted">{t.written}</span> : null}
            {fields.map(({ name, change }) => (
              <span key={name}>
                <span className="muted">{name}</span>{' '}
                {change ? <Change before={change[0]} after={change[1]} /> : <em className="muted">{t.differently}</em>}
              </span>
            ))}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** What was written, or would be. */
export type Written = Pick<Effect, 'resource' | 'changes'> & { maybe_twice?: boolean };

export const effectWhat = (effect: Written, isDry: boolean) => <What effect={effect} isDry={isDry} />;
export const effectChange = (effect: Pick<Written, 'changes'>) => <Changes effect={effect} />;

function What({ effect: { resource, maybe_twice }, isDry }: { effect: Written; isDry: boolean }) {
  const name = kindText(resource.type);
  const path = isDry && (resource.id ?? 0) >= STAGED_FROM ? undefined : recordPath(resource);
  const words = resource.id === null ? name : `${name} ${resource.id >= STAGED_FROM ? t.fresh(resource.id - STAGED_FROM) : resource.id}`;
  return (
    <>
      {path === undefined ? words : <PathLink to={path}>{words}</PathLink>}
      {maybe_twice ? <span className="tag need">{t.twice}</span> : null}
    </>
  );
}

function Changes({ effect: { changes } }: { effect: Pick<Written, 'changes'> }) {
  const fields = Object.entries(changes);
  if (fields.length === 0) return <span className="muted">{t.written}</span>;
  return (
    <ul className="changes">
      {fields.map(([name, [before, after]]) => (
        <li key={name}>
          <span className="muted">{name}</span> <Change before={before} after={after} />
        </li>
      ))}
    </ul>
  );
}
