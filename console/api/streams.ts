import { NotBackroom } from '../../client/errors.ts';
import { followMessages } from '../../client/follow.ts';
import type { Sender } from '../../client/requests.ts';
import type { MessageText } from '../../client/streams.ts';
import { ApiError } from '../../contract/calls.ts';

/** One message of an event stream. */
export type StreamMessage = MessageText;

export type StreamState = 'open' | 'lost' | 'ended';

export type FollowOptions = {
  signal: AbortSignal;
  /** The id of the last message that is known already; the stream goes on after it. */
  after?: string;
  onMessage(message: StreamMessage): void;
  /** `lost`: the connection is being made again. `ended`: nothing more will come. */
  onState(state: StreamState): void;
};

const MOST_WAIT_MS = 10_000;
/** As long as somebody looks at the page, who waits for no server that wants to be asked in an hour. */
const ALWAYS = {
  retries: { times: Number.POSITIVE_INFINITY, ownMostMs: MOST_WAIT_MS, mostMs: Number.POSITIVE_INFINITY },
  mostWaitMs: MOST_WAIT_MS,
  silentMs: 25_000,
  isKnown: true,
};

/** Follows an event stream of the API over lost connections; what a listener throws is told to `onFault`. */
export async function followBy(
  sender: Sender,
  path: string,
  { signal, after, onMessage, onState, onFault }: FollowOptions & { onFault(error: unknown): void },
): Promise<void> {
  // What one message is wrong about, the next need not be: the stream goes on.
  const tell = (listen: () => void): void => {
    try {
      listen();
    } catch (error) {
      onFault(error);
    }
  };
  const tellState = (state: StreamState): void => tell(() => onState(state));
  try {
    const options = { ...ALWAYS, signal, onState: tellState, ...(after === undefined ? {} : { after }) };
    for await (const message of followMessages(sender, path, options)) tell(() => onMessage(message));
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof ApiError || error instanceof NotBackroom)) onFault(error);
  }
  if (!signal.aborted) tellState('ended');
}
