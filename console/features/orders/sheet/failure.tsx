import { ApiError } from '../../../api/client.ts';
import { Problem } from '../../../ui/problem.tsx';
import { Refusal } from '../../../ui/tabs.tsx';

/** A refusal in words of its own, with what helps; of others, the server's. */
export function Failure({ error, words }: { error: unknown; words: Readonly<Record<string, string | undefined>> }) {
  const sentence = error instanceof ApiError ? words[error.code] : undefined;
  return sentence === undefined ? <Problem error={error} /> : <Refusal>{sentence}</Refusal>;
}
