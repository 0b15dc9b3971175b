import { ApiError } from '../api/client.ts';
import { text } from '../texts/app.ts';
import { Button } from './button.tsx';
import './problem.css';

/** Why something could not be shown or done, in the server's own words, with what may help. */
export function Problem({ error, retry }: { error: unknown; retry?: () => void }) {
  const { title, detail, requestId } = wordsOf(error);
  return (
    <div className="problem" role="alert">
      <div>
        <strong>{title}</strong>
        {detail === '' ? null : <p>{detail}</p>}
        {requestId === undefined ? null : (
          <p className="muted">
            {text.problem.request} <code>{requestId}</code>
          </p>
        )}
      </div>
      {retry === undefined ? null : <Button onClick={retry}>{text.problem.again}</Button>}
    </div>
  );
}

function wordsOf(error: unknown): { title: string; detail: string; requestId?: string | undefined } {
  if (!(error instanceof ApiError)) return { title: text.problem.offline, detail: text.problem.offlineDetail };
  const { problem, status, detail } = error;
  return { title: problem?.title ?? `${status}`, detail, requestId: status >= 500 ? problem?.request_id : undefined };
}
