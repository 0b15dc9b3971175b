import { editorText } from '../../texts/editor.ts';
import { countedKind } from '../../texts/kinds.ts';
import { Change } from '../../ui/change.tsx';
import { type Effect, planGroups } from './plan-groups.ts';
import './plan-list.css';

const t = editorText.plan;
/** So many kinds of changes are shown; the page of the run has all. */
const GROUPS_MAX = 20;
/** So many lines of the source are named for one of them. */
const LINES_MAX = 3;

type Props = {
  effects: readonly Effect[];
  /** Of a source that is beside it: the lines that may have made a change, and the way to one. */
  source?: { linesOf(effects: readonly Effect[]): readonly number[]; go(line: number): void };
};

/** What a dry run would do: equal changes as one row. */
export function PlanList({ effects, source }: Props) {
  const groups = planGroups(effects);
  return (
    <ul className="plan-groups">
      {groups.slice(0, GROUPS_MAX).map(({ key, count, type, effects: own, changes }) => (
        <li key={key}>
          <strong>{countedKind(type, count)}</strong>
          {changes.length === 0 ? <span className="muted">{t.written}</span> : null}
          {changes.map(([name, before, after]) => (
            <span key={name}>
              <span className="muted">{name}</span> <Change before={before} after={after} />
            </span>
          ))}
          {source
            ?.linesOf(own)
            .slice(0, LINES_MAX)
            .map((line) => (
              <button key={line} type="button" className="plan-line" onClick={() => source.go(line)}>
                {t.line(line)}
              </button>
            ))}
        </li>
      ))}
      {groups.length > GROUPS_MAX ? <li className="muted">{t.more(groups.length - GROUPS_MAX)}</li> : null}
    </ul>
  );
}
