import type { ReactNode } from 'react';
import type { ClientResponse } from '../../../contract/calls.ts';
import type { Unsigned } from '../../api/client.ts';
import { GestureDialog } from './dialog.tsx';

/** Requests wait for one another: one dialog at a time. */
let last: Promise<unknown> = Promise.resolve();
let count = 0;

/** Asks the person to sign what a request decides. The answer is that of the request with the signature, or its refusal where there is none. */
export function askForGesture(unsigned: Unsigned, show: (dialog: ReactNode) => void): Promise<ClientResponse> {
  const answered = last.then(async () => {
    try {
      return await new Promise<ClientResponse>((end, fail) => {
        count++;
        show(<GestureDialog key={count} unsigned={unsigned} end={end} fail={fail} />);
      });
    } finally {
      show(null);
      focusAgain(unsigned.from);
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
