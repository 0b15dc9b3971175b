import { editorText } from '../../texts/editor.ts';
import { countedKind } from '../../texts/kinds.ts';
import { Change } from '../../ui/change.tsx';
import { planGroups } from './plan-groups.ts';
import './plan-list.css';

const t = editorText.plan;
/** So many kinds of changes are shown; the page of the run has all. */
const GROUPS_MAX = 20;

/** What a dry run would do: equal changes as one row. */
export function PlanList({ effects }: { effects: Parameters<typeof planGroups>[0] }) {
  const groups = planGroups(effects);
  return (
    <ul className="plan-groups">
      {groups.slice(0, GROUPS_MAX).map(({ key, count, type, changes }) => (
        <li key={key}>
          <strong>{countedKind(type, count)}</strong>
          {changes.length === 0 ? <span className="muted">{t.written}</span> : null}
          {changes.map(([name, before, after]) => (
            <span key={name}>
              <span className="muted">{name}</span> <Change before={before} after={after} />
            </span>
          ))}
        </li>
      ))}
      {groups.length > GROUPS_MAX ? <li className="muted">{t.more(groups.length - GROUPS_MAX)}</li> : null}
    </ul>
  );
}
