import { followMessages } from '../../client/follow.ts';
import { createSender } from '../../client/requests.ts';
import type { MessageText } from '../../client/streams.ts';
import { ApiError } from '../../contract/calls.ts';
import { session } from './session.ts';

/** One message of an event stream. */
export type StreamMessage = MessageText;

export type StreamState = 'open' | 'lost' | 'ended';

type FollowOptions = {
  signal: AbortSignal;
  /** The id of the last message that is known already; the stream goes on after it. */
  after?: string;
  onMessage(message: StreamMessage): void;
  /** `lost`: the connection is being made again. `ended`: nothing more will come. */
  onState(state: StreamState): void;
};

/** As long as somebody looks at the page. */
const ALWAYS = { times: Number.POSITIVE_INFINITY, ownMostMs: 10_000, mostMs: 3_600_000 };

/** Follows an event stream of the API (`path` is relative to `/admin/api`) with the token of this tab, over lost connections. */
export async function follow(path: string, { signal, after, onMessage, onState }: FollowOptions): Promise<void> {
  const sender = createSender({ url: window.location.origin, token: session.token });
  try {
    const options = { signal, onState, retries: ALWAYS, isKnown: true, ...(after === undefined ? {} : { after }) };
    for await (const message of followMessages(sender, path, options)) onMessage(message);
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof ApiError)) throw error;
  }
  if (!signal.aborted) onState('ended');
}
