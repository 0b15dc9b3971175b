import { DialogHeading } from '@ariakit/react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { type ClientRequest, type ClientResponse, isProblem } from '../../../contract/calls.ts';
import type { Gesture } from '../../../contract/decisions.ts';
import { ApiError, api, type Undecided } from '../../api/client.ts';
import { Stopped, signatureOf } from '../../api/passkeys.ts';
import { text } from '../../texts/app.ts';
import { decisionsText as t } from '../../texts/decisions.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Modal } from '../../ui/modal.tsx';
import { Skeleton } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { useShortcuts } from '../../ui/shortcuts.ts';
import { Elsewhere, PasskeyProblem } from '../sign-in-by-passkey.tsx';
import { Decided, titleOf } from './decided.tsx';
import { writeOf } from './members.ts';
import './gesture.css';

/** What was shown is asked anew when it is older: a signature counts for a minute, which the person and the browser need, too. */
const FRESH_MS = 30_000;

type Props = { unsigned: Undecided; end(answer: ClientResponse | Promise<ClientResponse>): void; fail(error: unknown): void };

/** What would be decided, and where the person's passkeys work. */
type Look = { gesture: Gesture; origin: string | null; hasPasskey: boolean; at: number };
/** Why it is shown again: it changed, or took too long. */
type Again = 'changed' | 'expired' | null;

async function lookAt(request: ClientRequest): Promise<Look> {
  const at = performance.now();
  const [gesture, { origin, passkeys }] = await Promise.all([api.me.ask_gesture(writeOf(request)), api.me.list_passkeys()]);
  return { gesture, origin, hasPasskey: passkeys.length > 0, at };
}

const isSame = (one: Look, other: Look): boolean => JSON.stringify(one.gesture.decided) === JSON.stringify(other.gesture.decided);
const codeOf = ({ body }: ClientResponse): string | null => (isProblem(body) ? body.code : null);

/** Shows in words what a request decides, has a passkey sign it and sends the request again. Whatever is refused then was not done. */
export function GestureDialog({ unsigned, end, fail }: Props) {
  const [look, setLook] = useState<Look | null>(null);
  const [again, setAgain] = useState<Again>(null);
  const [isOutdated, setOutdated] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(true);
  const { request, refusal } = unsigned;

  /** Once it is signed and sent it cannot be taken back, and once it is given up nothing is sent. */
  const state = useRef<'open' | 'sent' | 'over'>('open');
  function cancel(): void {
    if (state.current === 'sent') return;
    state.current = 'over';
    end({ status: refusal.status, headers: {}, body: { ...refusal, title: t.notConfirmed, detail: t.notConfirmedDetail } });
  }

  /** What is refused before it is shown is the answer of the request. */
  function refused(error: unknown): void {
    if (!(error instanceof ApiError) || error.status >= 500 || error.code === 'passkeys_unavailable') setFailure(error);
    else if (error.code === 'gesture_not_needed') end(unsigned.again());
    else end({ status: error.status, headers: {}, body: error.problem });
  }

  async function ask(why: Again): Promise<void> {
    setBusy(true);
    setFailure(null);
    try {
      setLook(await lookAt(request));
      setAgain(why);
      setOutdated(false);
    } catch (error) {
      refused(error);
    } finally {
      setBusy(false);
    }
  }

  /** What was shown, with time enough to sign it; null: it is no longer that, and is not signed. */
  async function fresh(shown: Look): Promise<Look | null> {
    if (performance.now() - shown.at < FRESH_MS) return shown;
    const now = await lookAt(request);
    if (isSame(shown, now)) return now;
    setOutdated(true);
    return null;
  }

  async function send(shown: Look): Promise<void> {
    const now = await fresh(shown).catch(refused);
    if (!now) return;
    const signature = await signatureOf(now.gesture);
    if (state.current === 'over') return;
    state.current = 'sent';
    const answer = await unsigned.again(signature).finally(() => {
      state.current = 'open';
    });
    const code = codeOf(answer);
    if (code === 'decision_changed') setOutdated(true);
    else if (code === 'gesture_expired' || code === 'gesture_used') await ask('expired');
    else if (code === 'passkey_refused') setFailure(code);
    else end(answer);
  }

  async function confirm(): Promise<void> {
    if (look === null || isBusy || isOutdated || !isUsable(look)) return;
    setBusy(true);
    setFailure(null);
    try {
      await send(look);
    } catch (error) {
      // Without an answer it may have been done; whoever sent it knows what to say.
      if (error instanceof Stopped) setFailure(error);
      else fail(error);
    } finally {
      setBusy(false);
    }
  }

  const first = useRef(ask);
  useEffect(() => void first.current(null), []);
  useShortcuts({ 'mod+enter': () => void (isOutdated ? ask('changed') : confirm()) });
  const mayRetry = look === null && failure !== null;
  return (
    <Modal close={cancel}>
      <div className="gesture">
        <DialogHeading>{look === null || isOutdated ? t.confirm : titleOf(look.gesture.decided)}</DialogHeading>
        <Told again={isOutdated ? null : again} isOutdated={isOutdated} failure={failure} />
        {isOutdated ? null : look === null ? isBusy ? <Skeleton rows={3} /> : null : <Shown look={look} leave={cancel} />}
        <div className="dialog-acts">
          <Button autoFocus onClick={cancel}>
            {text.app.cancel}
          </Button>
          {isOutdated || mayRetry ? (
            <Button kind="first" keys="mod+enter" aria-disabled={isBusy} onClick={() => void ask(isOutdated ? 'changed' : null)}>
              {isOutdated ? t.lookAgain : text.problem.again}
            </Button>
          ) : look !== null && !isUsable(look) ? null : (
            <Button kind="first" keys="mod+enter" aria-disabled={isBusy} onClick={() => void confirm()}>
              {t.confirm}
            </Button>
          )}
        </div>
      </div>
    </Modal>
  );
}

const isUsable = ({ origin, hasPasskey }: Look): boolean => hasPasskey && (origin === null || origin === window.location.origin);

function Told({ again, isOutdated, failure }: { again: Again; isOutdated: boolean; failure: unknown }): ReactNode {
  if (isOutdated) return <p role="alert">{t.changed}</p>;
  if (failure === 'passkey_refused') return <p role="alert">{t.refused}</p>;
  if (failure instanceof Stopped) return <PasskeyProblem failure={failure} />;
  if (failure !== null) return <Problem error={failure} />;
  return again === null ? null : <p role="status">{again === 'changed' ? t.asItIsNow : t.expired}</p>;
}

/** What is decided; where the person cannot sign it here, why, and where they can. */
function Shown({ look, leave }: { look: Look; leave(): void }) {
  const { gesture, origin } = look;
  const { pathname, search } = window.location;
  return (
    <>
      <Decided decided={gesture.decided} />
      {isUsable(look) ? (
        <p className="muted">{t.signs}</p>
      ) : look.hasPasskey && origin !== null ? (
        <Elsewhere address={origin} path={`${pathname}${search}`.slice(1)} />
      ) : (
        <>
          <p role="alert">{t.noPasskey}</p>
          <div>
            <ButtonLink to="/settings/$section" params={{ section: 'me' }} onClick={leave}>
              {t.toPasskeys}
            </ButtonLink>
          </div>
        </>
      )}
    </>
  );
}
