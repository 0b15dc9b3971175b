import { Fragment, type ReactNode } from 'react';
import type { ClientResponse } from '../../../contract/calls.ts';
import { ApiError, api, type Undecided } from '../../api/client.ts';
import { decisionsText } from '../../texts/decisions.ts';
import { GestureDialog } from './dialog.tsx';
import { writeOf } from './members.ts';
import { type Proposal, ProposeDialog } from './propose.tsx';

const t = decisionsText.proposal;

type Show = (dialog: ReactNode) => void;

/** Asks for what the server refused a request for want of: a signature, or another owner. */
export function askPerson(undecided: Undecided, show: Show): Promise<ClientResponse> {
  return undecided.refusal.code === 'gesture_required' ? askForGesture(undecided, show) : askToPropose(undecided, show);
}

/** Asks the person to sign what a request decides. The answer is that of the request with the signature, or its refusal where there is none. */
function askForGesture(unsigned: Undecided, show: Show): Promise<ClientResponse> {
  return inTurn(unsigned.from, show, (end, fail) => <GestureDialog unsigned={unsigned} end={end} fail={fail} />);
}

/** Offers to propose exactly the request to another owner. It is refused as before, and says what became of it. */
async function askToPropose({ request, refusal, from }: Undecided, show: Show): Promise<ClientResponse> {
  const refused = (body: ClientResponse['body']): ClientResponse => ({ status: refusal.status, headers: {}, body });
  const proposal = await inTurn<Proposal | null>(from, show, (end) => <ProposeDialog end={end} />);
  if (proposal === null) return refused({ ...refusal, title: t.title, detail: decisionsText.notConfirmedDetail });
  try {
    // Beneath no dialog: a passkey may have to sign the proposal, too.
    await api.policy_changes.create({ ...writeOf(request), ...proposal });
  } catch (error) {
    if (error instanceof ApiError && error.problem !== null) return { status: error.status, headers: {}, body: error.problem };
    throw error;
  }
  return refused({ ...refusal, title: t.made, detail: t.madeDetail, proposed: true });
}

/** Requests wait for one another: one dialog at a time. */
let last: Promise<unknown> = Promise.resolve();
let count = 0;

type Dialog<T> = (end: (answer: T | Promise<T>) => void, fail: (error: unknown) => void) => ReactNode;

function inTurn<T>(from: Element | null, show: Show, dialog: Dialog<T>): Promise<T> {
  const answered = last.then(async () => {
    try {
      return await new Promise<T>((end, fail) => {
        count++;
        show(<Fragment key={count}>{dialog(end, fail)}</Fragment>);
      });
    } finally {
      show(null);
      focusAgain(from);
    }
  });
  last = answered.catch(() => undefined);
  return answered;
}

/** The act that was done may be disabled until its answer is there, and cannot have the focus so long. */
function focusAgain(from: Element | null): void {
  if (!(from instanceof HTMLElement) || from === document.body) return;
  const until = performance.now() + 1000;
  const attempt = (): void => {
    const { activeElement } = document;
    const isLost = activeElement === null || activeElement === document.body;
    if (!isLost || !from.isConnected) return;
    from.focus();
    if (document.activeElement !== from && performance.now() < until) requestAnimationFrame(attempt);
  };
  requestAnimationFrame(attempt);
}
