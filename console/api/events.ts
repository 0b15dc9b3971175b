import { createSender } from '../../client/requests.ts';
import { bearerOf } from './client.ts';
import { session } from './session.ts';
import { type FollowOptions, followBy } from './streams.ts';

export type { StreamMessage, StreamState } from './streams.ts';

/** Follows an event stream of the API (`path` is relative to `/admin/api`) with the token of this tab, over lost connections. */
export function follow(path: string, options: FollowOptions): Promise<void> {
  const sender = createSender({ url: window.location.origin, token: () => bearerOf(session.token()) });
  return followBy(sender, path, { ...options, onFault: reportError });
}
