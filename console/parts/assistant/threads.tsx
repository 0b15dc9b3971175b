import { useQuery } from '@tanstack/react-query';
import { assistantText } from '../../texts/assistant.ts';
import { permissionText } from '../../texts/permissions.ts';
import { Rows } from '../../ui/loaded.tsx';
import { MarkedText } from '../../ui/marked-text.tsx';
import { useReload } from '../reload.ts';
import { Remove } from '../remove.tsx';
import { MutedMoment } from '../values.tsx';
import { removeThread, threadsOf } from './calls.ts';

const t = assistantText.threads;

type Props = { taskId: number | null; open: number | null; choose(id: number | null): void };

/** The conversations of the same task, which are found again here. */
export function Threads({ taskId, open, choose }: Props) {
  const list = useQuery(threadsOf(taskId));
  const reload = useReload();
  return (
    <Rows query={list} none={t.none}>
      {({ id, title, run_id, updated_at, missing_permissions: missing }) => (
        <li key={id}>
          <div>
            {missing.length > 0 ? (
              <span className="muted">{t.closed(missing.map((one) => permissionText(one)).join(', '))}</span>
            ) : (
              <button type="button" className="link" onClick={() => choose(id)}>
                <MarkedText text={title || t.untitled} />
              </button>
            )}
            <div>
              <MutedMoment at={updated_at} /> {run_id === null ? null : <span className="muted">· {t.ofRun(run_id)}</span>}
            </div>
          </div>
          <Remove
            name={title || (missing.length > 0 ? t.closedName(id) : t.untitled)}
            kind="quiet"
            run={() => removeThread(id)}
            onDone={async () => {
              await reload('assistant');
              if (id === open) choose(null);
            }}
          >
            <p>{t.removed}</p>
          </Remove>
        </li>
      )}
    </Rows>
  );
}
