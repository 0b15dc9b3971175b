import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Run } from '../../../../contract/runs.ts';
import type { UndoRow } from '../../../../contract/undo.ts';
import { wordsOfRun } from '../../../parts/run-status.tsx';
import { undoText } from '../../../texts/undo.ts';
import { Button } from '../../../ui/button.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Status } from '../../../ui/status.tsx';
import { Banner, Tabs } from '../../../ui/tabs.tsx';
import type { Asked } from '../acts/dialogs.tsx';
import { undoRows } from '../queries.ts';
import { groupEffects } from '../run/effect-groups.ts';
import { Groups } from '../run/effects.tsx';
import { RunFacts } from '../run/facts.tsx';
import { whyOf } from '../run/why.ts';
import { WhyBanner } from '../run/why-banner.tsx';
import { type RunSearch, undoStates } from '../search.ts';
import { ApplyUndo } from './apply.tsx';
import { Row } from './row.tsx';
import './undo.css';

const t = undoText.plan;
const SHOWN = 100;

type Props = {
  run: Run;
  undoneId: number;
  mayWrite: boolean;
  rows: RunSearch['rows'];
  ask(asked: Asked): void;
  go(search: RunSearch): void;
};

/** The plan that takes a run back: what would be put back, of which some can be chosen, and the act that carries it out. */
export function UndoPlan(props: Props) {
  const { run } = props;
  const query = useQuery(undoRows(run.task_id, run.id));
  return (
    <div className="run">
      <div className="run-main">
        <Loaded query={query} rows={8}>
          {(all) => (props.mayWrite && run.applied_by_run_id === null ? <Choosing {...props} all={all} /> : <Told {...props} all={all} />)}
        </Loaded>
      </div>
      <RunFacts run={run} />
    </div>
  );
}

type ListProps = Props & { all: readonly UndoRow[] };

function Choosing(props: ListProps) {
  const { run, undoneId, all } = props;
  /** The rows whose choice is not the one that the plan begins with: all that are ready. */
  const [turned, setTurned] = useState<ReadonlySet<number>>(new Set());
  const chosen = all.filter((row) => row.choosable && (row.state === 'ready') !== turned.has(row.position));
  const positions = new Set(chosen.map(({ position }) => position));
  const groups = groupEffects(chosen.flatMap(({ changes }) => changes));
  const ready = all.filter(({ state }) => state === 'ready');
  const turn = (position: number): void => setTurned((before) => withTurned(before, position));
  return (
    <>
      <ApplyUndo run={run} undoneId={undoneId} all={all} chosen={chosen} isAll={turned.size === 0} />
      {groups.length > 0 ? <Groups groups={groups} isDry loaded={null} /> : null}
      <RowTabs {...props} />
      {ready.length > 1 ? (
        <div className="acts undo-choose">
          <Button kind="quiet" onClick={() => setTurned(new Set())}>
            {t.chooseReady}
          </Button>
          <Button kind="quiet" onClick={() => setTurned(new Set(ready.map(({ position }) => position)))}>
            {t.chooseNone}
          </Button>
        </div>
      ) : null}
      <Rows {...props} choice={{ positions, turn }} />
    </>
  );
}

function withTurned(turned: ReadonlySet<number>, position: number): ReadonlySet<number> {
  const next = new Set(turned);
  if (!next.delete(position)) next.add(position);
  return next;
}

/** The plan for those who may not carry it out, and after it was carried out. */
function Told(props: ListProps) {
  const { run, undoneId, mayWrite, ask, go } = props;
  const why = whyOf(run);
  return (
    <>
      {why && run.applied_by_run_id !== null ? (
        <WhyBanner run={run} why={why} mayWrite={mayWrite} ask={ask} compare={() => go({ tab: 'compare' })} />
      ) : (
        <Banner tone="dry">
          <Status tone="dry">{wordsOfRun(run)}</Status>
          <span>{t.of(undoneId)}</span>
        </Banner>
      )}
      <RowTabs {...props} />
      <Rows {...props} />
    </>
  );
}

/** How many rows are in each state; a state without any is left out. */
function RowTabs({ all, rows, go }: ListProps) {
  const counts = Map.groupBy(all, ({ state }) => state);
  const tabs = undoStates.map((name) => ({ name, label: undoText.states[name], count: counts.get(name)?.length }));
  const shown = tabs.filter(({ name, count }) => count !== undefined || name === rows);
  return (
    <Tabs<(typeof undoStates)[number] | 'all'>
      label={t.filter}
      open={rows ?? 'all'}
      tabs={[{ name: 'all', label: t.all, count: all.length }, ...shown]}
      go={(name) => go(name === 'all' ? {} : { rows: name })}
    />
  );
}

type Choice = { positions: ReadonlySet<number>; turn(position: number): void };

function Rows({ run, all, rows, choice }: ListProps & { choice?: Choice }) {
  const [most, setMost] = useState(SHOWN);
  const wanted = rows === undefined ? all : all.filter(({ state }) => state === rows);
  return (
    <>
      <ol className="undo-rows" aria-label={t.rows}>
        {wanted.slice(0, most).map((row) => (
          <Row
            key={row.position}
            row={row}
            ofOther={row.run_id === run.undo_of_run_id ? null : row.run_id}
            {...(choice ? { choice: { isChosen: choice.positions.has(row.position), turn: () => choice.turn(row.position) } } : {})}
          />
        ))}
      </ol>
      {wanted.length > most ? (
        <div className="more">
          <Button onClick={() => setMost(most + SHOWN)}>{t.more}</Button>
        </div>
      ) : null}
    </>
  );
}
