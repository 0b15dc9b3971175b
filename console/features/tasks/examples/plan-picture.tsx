import { examplesText as t } from '../../../texts/examples.ts';
import { countedKind } from '../../../texts/kinds.ts';
import { Change } from '../../../ui/change.tsx';
import type { Example } from '../queries.ts';
import '../plan-list.css';

/** What a dry run of the example changes in the sample shop: it is would-be, so it has a dashed edge. */
export function PlanPicture({ plan: { writes, changes, results, files } }: { plan: Example['plan'] }) {
  return (
    <div className="plan-picture">
      <p className="muted">{t.planOf(writes)}</p>
      <ul className="plan-groups">
        {changes.map(({ count, type, fields }) => (
          <li key={`${type} ${fields.map(({ name }) => name).join(' ')}`}>
            <strong>{countedKind(type, count)}</strong>
            {fields.map(({ name, before, after, varies }) => (
              <span key={name}>
                <span className="muted">{varies ? `${name}, ${t.varies}` : name}</span> <Change before={before} after={after} />
              </span>
            ))}
          </li>
        ))}
        {results.map(({ status, count, items }) => (
          <li key={status}>
            <strong>{t.found(count, status)}</strong>
            <span>
              {items.join(', ')}
              {count > items.length ? `, ${t.andMore}` : ''}
            </span>
          </li>
        ))}
        {files.length === 0 ? null : (
          <li>
            <strong>{t.files}</strong>
            <span>{files.join(', ')}</span>
          </li>
        )}
      </ul>
    </div>
  );
}
