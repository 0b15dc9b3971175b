import { ApiError } from '../api/client.ts';
import { text } from '../texts/app.ts';
import { Button } from './button.tsx';
import { Empty } from './empty.tsx';
import './problem.css';

/**
 * Why something could not be shown or done, in the server's own words, with what may help. What could not be read because one may not see it,
 * or because it is gone, is no fault, and to try again does not help.
 */
export function Problem({ error, retry }: { error: unknown; retry?: () => void }) {
  if (retry !== undefined && error instanceof ApiError && error.status === 403) return <NotSeen />;
  if (retry !== undefined && error instanceof ApiError && error.status === 404)
    return (
      <div role="alert">
        <Empty drawing="sign" title={text.app.noRecord} example={text.app.notFoundDetail} />
      </div>
    );
  const { title, detail, requestId, isProposed } = wordsOf(error);
  return (
    <div className={isProposed ? 'problem proposed' : 'problem'} role="alert">
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

/** What one may not see, and who can change that. */
export function NotSeen() {
  return (
    <div role="alert">
      <Empty drawing="lock" title={text.app.mayNot} example={text.app.mayNotDetail} />
    </div>
  );
}

function wordsOf(error: unknown): { title: string; detail: string; requestId?: string | undefined; isProposed?: boolean } {
  if (!(error instanceof ApiError)) return { title: text.problem.offline, detail: text.problem.offlineDetail };
  const { problem, status, detail } = error;
  return {
    title: problem?.title ?? `${status}`,
    detail,
    requestId: status >= 500 ? problem?.request_id : undefined,
    isProposed: problem?.['proposed'] === true,
  };
}
