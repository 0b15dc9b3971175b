import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { whenPersonMustDecide, whenTokenIsRefused } from '../api/client.ts';
import { session } from '../api/session.ts';
import { useRememberOpened } from '../parts/opened.ts';
import { MeProvider, meQuery, useShop } from '../parts/shop.ts';
import { text } from '../texts/app.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { MarkedText } from '../ui/marked-text.tsx';
import { Skeleton } from '../ui/page.tsx';
import { Problem } from '../ui/problem.tsx';
import { useModal, useShortcuts } from '../ui/shortcuts.ts';
import { ToastPlace } from '../ui/toast.tsx';
import { AccountMenu } from './account-menu.tsx';
import { areas } from './areas.ts';
import { Bell } from './bell/bell.tsx';
import { useNarrow } from './folded.ts';
import { KeyMap } from './key-map.tsx';
import { useOwnLanguage } from './language-choice.tsx';
import { useChanges } from './live.ts';
import { Mark } from './mark.tsx';
import { Navigation } from './navigation.tsx';
import { Palette } from './palette/palette.tsx';
import { SignIn } from './sign-in.tsx';
import { signInCode } from './sign-in-code.ts';
import './shell.css';

const t = text.app;
const SignInByLink = lazy(async () => ({ default: (await import('./sign-in-link.tsx')).SignInByLink }));
const MakePasskey = lazy(async () => ({ default: (await import('./make-passkey.tsx')).MakePasskey }));
const Join = lazy(async () => ({ default: (await import('./join.tsx')).Join }));

/** Asks who is signed in, then shows the page in its frame. */
export function App() {
  const token = useSyncExternalStore(session.subscribe, session.token);
  const code = useSyncExternalStore(signInCode.subscribe, signInCode.current);
  const taken = useSyncExternalStore(session.subscribe, session.taken);
  const [isRefused, setRefused] = useState(false);
  const [toDecide, setToDecide] = useState<ReactNode>(null);
  const queries = useQueryClient();
  const me = useQuery({ ...meQuery, enabled: token !== null });
  useEffect(() => {
    whenTokenIsRefused(() => setRefused(true));
    whenPersonMustDecide(async (undecided) => (await import('./gesture/ask.tsx')).askPerson(undecided, setToDecide));
  }, []);
  useEffect(() => {
    if (token !== null) return;
    queries.clear();
    setRefused(false);
  }, [token, queries]);
  const shownId = me.data?.id;
  useEffect(() => {
    if (token !== null && shownId !== undefined) session.shows(shownId);
  }, [token, shownId]);
  if (taken !== null) return <Taken name={taken.name} />;
  if (code !== null) {
    const ByLink = { join: Join, passkey: MakePasskey, 'sign-in': SignInByLink }[code.kind];
    return (
      <Suspense fallback={<main className="app-wait" />}>
        <ByLink key={code.code} code={code.code} />
      </Suspense>
    );
  }
  if (token === null || (isRefused && me.data === undefined)) return <SignIn onDone={() => setRefused(false)} />;
  if (me.data === undefined) {
    return (
      <main className="app-wait">{me.error ? <Problem error={me.error} retry={() => void me.refetch()} /> : <Skeleton rows={3} />}</main>
    );
  }
  return (
    <MeProvider value={me.data}>
      <Frame />
      {toDecide}
      {isRefused ? (
        <SignInAgain
          onDone={() => {
            setRefused(false);
            // Nothing was read while the token was refused.
            void queries.invalidateQueries();
          }}
        />
      ) : null}
    </MeProvider>
  );
}

/** Somebody else has signed in on this device: what the page showed was not theirs. */
function Taken({ name }: { name: string }) {
  return (
    <main className="sign-in">
      <div className="sign-in-box">
        <Mark />
        <h1>{text.signIn.takenTitle}</h1>
        <p role="alert">
          <MarkedText text={text.signIn.taken(name)} />
        </p>
        <Button kind="first" autoFocus onClick={session.loadAnew}>
          <MarkedText text={text.signIn.goOnAs(name)} />
        </Button>
      </div>
    </main>
  );
}

function SignInAgain({ onDone }: { onDone(): void }) {
  useModal();
  return (
    <div className="sign-in-again" role="dialog" aria-modal="true" aria-label={text.signIn.title}>
      <SignIn again onDone={onDone} />
    </div>
  );
}

function Frame() {
  const shop = useShop();
  useChanges();
  useOwnLanguage();
  useRememberOpened();
  const [isNarrow, setNarrow] = useNarrow();
  const [isMenuOpen, setMenuOpen] = useState(false);
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const [areKeysShown, setKeysShown] = useState(false);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const navigate = useNavigate();
  useShortcuts({
    'mod+k': () => setPaletteOpen(true),
    '?': { name: text.palette.keys, act: () => setKeysShown(true) },
    ...Object.fromEntries(areas.flatMap(({ to, keys }) => (keys === undefined ? [] : [[keys, () => void navigate({ to })]]))),
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes the menu
  useEffect(() => setMenuOpen(false), [path]);
  return (
    <div className={isMenuOpen ? 'shell menu-open' : 'shell'} data-side={isNarrow ? 'icons' : undefined}>
      <a className="skip" href="#page">
        {t.skip}
      </a>
      <aside className="side">
        <div className="side-head">
          <Link to="/" className="home">
            <Mark />
          </Link>
          <FoldSide isNarrow={isNarrow} set={setNarrow} />
        </div>
        <Navigation isNarrow={isNarrow} />
      </aside>
      <header className="top">
        <button type="button" className="menu-button" aria-expanded={isMenuOpen} onClick={() => setMenuOpen(!isMenuOpen)}>
          {t.menu}
        </button>
        <strong className="shop-name">{shop.name}</strong>
        <Palette open={isPaletteOpen} setOpen={setPaletteOpen} />
        <Bell />
        <AccountMenu />
      </header>
      {isMenuOpen ? <BesideMenu close={() => setMenuOpen(false)} /> : null}
      <main id="page" className="page" tabIndex={-1}>
        <Suspense fallback={<Skeleton />}>
          <Outlet />
        </Suspense>
      </main>
      <ToastPlace />
      {areKeysShown ? <KeyMap close={() => setKeysShown(false)} /> : null}
    </div>
  );
}

/** Lies over all that is beside the open menu, so that a tap there closes the menu and reaches nothing else. */
function BesideMenu({ close }: { close(): void }) {
  useShortcuts({ escape: close });
  return <button type="button" className="backdrop beside-menu" tabIndex={-1} aria-label={t.closeMenu} onClick={close} />;
}

function FoldSide({ isNarrow, set }: { isNarrow: boolean; set(isNarrow: boolean): void }) {
  const label = isNarrow ? t.unfold : t.fold;
  return (
    <button type="button" className="side-fold" aria-label={label} title={label} onClick={() => set(!isNarrow)}>
      <Icon name={isNarrow ? 'unfold' : 'fold'} />
    </button>
  );
}
