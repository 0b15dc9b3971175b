import { useId } from 'react';
import type { UndoConflict, UndoRow, UndoState } from '../../../../contract/undo.ts';
import { ThreeValues } from '../../../parts/three-values.tsx';
import { runBulkText } from '../../../texts/run-bulk.ts';
import { insteadOf, undoText } from '../../../texts/undo.ts';
import { valueText } from '../../../ui/change.tsx';
import { Status, type Tone } from '../../../ui/status.tsx';
import { effectChange, effectWhat } from '../run/effects.tsx';

const t = undoText.conflict;
const CONFLICTS_SHOWN = 20;

const tones: Record<UndoState, Tone> = { ready: 'dry', conflict: 'need', irreversible: 'rest', already_as_before: 'rest' };

type Props = { row: UndoRow; ofOther: number | null; choice?: { isChosen: boolean; turn(): void } };

/** One write that is taken back: what would be done, what stands in the way, and what stays. `ofOther`: another run of the lineage made it. */
export function Row({ row, ofOther, choice }: Props) {
  const { state, method, path, conflicts, stays, choosable } = row;
  const about = useId();
  const call = `${method} ${path}`;
  const why = whyOf(row);
  return (
    <li className={`undo-row ${choice?.isChosen ? 'chosen' : ''}`}>
      {choice ? (
        <input
          type="checkbox"
          aria-label={undoText.plan.choose(call)}
          aria-describedby={about}
          checked={choice.isChosen}
          disabled={!choosable}
          onChange={choice.turn}
        />
      ) : null}
      <div className="undo-row-main" id={about}>
        <p className="undo-row-head">
          <code className="wrap">{call}</code>
          {ofOther === null ? null : <span className="muted">{undoText.plan.ofRun(ofOther)}</span>}
          <Status tone={tones[state]}>{undoText.states[state]}</Status>
        </p>
        {state === 'already_as_before' ? null : <Changes row={row} />}
        {why === undefined ? null : <p>{why}</p>}
        {conflicts.length > 0 ? <Conflicts conflicts={conflicts} /> : null}
        {stays.length > 0 ? <p className="muted">{undoText.stays}</p> : null}
      </div>
    </li>
  );
}

/** What would be put back, without the fields that the conflicts show with all three values. */
function Changes({ row: { changes, conflicts } }: { row: UndoRow }) {
  const shown = new Set(conflicts.map(({ field }) => field));
  return (
    <ul className="undo-changes">
      {changes.map(({ resource, changes: all }, at) => {
        const left = Object.fromEntries(Object.entries(all).filter(([name]) => !shown.has(name)));
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: one write may change a record twice
          <li key={at}>
            <span>{effectWhat({ resource, changes: all }, false)}</span>
            {Object.keys(left).length === 0 ? null : effectChange({ changes: left })}
          </li>
        );
      })}
    </ul>
  );
}

/** Each field that others have changed since, with the value before the write, the one that it gave, and the one of now. */
function Conflicts({ conflicts }: { conflicts: readonly UndoConflict[] }) {
  const hasValues = conflicts.some(({ before, run, now }) => before !== null || run !== null || now !== null);
  const shown = conflicts.slice(0, CONFLICTS_SHOWN);
  const rest = conflicts.length - shown.length;
  const isOfOne = conflicts.every(({ record }) => record === conflicts[0]?.record);
  return (
    <>
      {hasValues ? (
        <ThreeValues
          label={t.label}
          columns={{ ...t, by: t.run }}
          rows={shown.map(({ record, field, before, run, now }) => ({
            key: `${record} ${field}`,
            head: (
              <>
                {field ?? t.whole}
                {isOfOne ? null : <span className="three-values-note">{record}</span>}
              </>
            ),
            before: valueText(before),
            by: valueText(run),
            now: valueText(now),
          }))}
        />
      ) : (
        <ul className="muted" aria-label={t.label}>
          {shown.map(({ record }) => (
            <li key={record}>{record}</li>
          ))}
        </ul>
      )}
      {rest > 0 ? <p className="muted">{runBulkText.more(rest)}</p> : null}
    </>
  );
}

/** Why a row is not taken back as it is, and what can be done. */
function whyOf({ state, choosable, endpoint, reason, reason_code, conflicts }: UndoRow): string | undefined {
  if (state === 'irreversible') return insteadOf(endpoint) ?? (reason_code === 'not_kept' ? undoText.notKept : (reason ?? undefined));
  if (state !== 'conflict') return undefined;
  switch (reason_code) {
    case 'made_since':
      return t.made;
    case 'referred_to':
      return t.referred;
    case 'value_taken':
      return t.taken;
    default:
      if (choosable) return t.choosable;
      return conflicts.some(({ field }) => field === null) ? t.gone : t.less;
  }
}
