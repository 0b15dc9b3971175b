import { createRoute, redirect } from '@tanstack/react-router';
import { root } from './root.tsx';
import { type LinkCode, signInCode } from './sign-in-code.ts';

/** Takes the code out of the address, which must not stay in the history, and leads to the overview. */
function take(kind: LinkCode['kind'], hash: string): never {
  if (hash !== '') signInCode.set({ kind, code: hash });
  throw redirect({ to: '/', replace: true });
}

/** `/sign-in#<code>`, `/join#<code>` and `/passkey#<code>`. */
export const signInRoutes = [
  createRoute({ getParentRoute: () => root, path: '/sign-in', beforeLoad: ({ location }) => take('sign-in', location.hash) }),
  createRoute({ getParentRoute: () => root, path: '/passkey', beforeLoad: ({ location }) => take('passkey', location.hash) }),
  createRoute({ getParentRoute: () => root, path: '/join', beforeLoad: ({ location }) => take('join', location.hash) }),
] as const;
