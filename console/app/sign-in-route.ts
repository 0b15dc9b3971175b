import { createRoute, redirect } from '@tanstack/react-router';
import { root } from './root.tsx';
import { signInCode } from './sign-in-code.ts';

/** `/sign-in#<code>`: takes the code out of the address, which must not stay in the history, and leads to the overview. */
export const signInRoute = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  beforeLoad: ({ location }) => {
    if (location.hash !== '') signInCode.set(location.hash);
    throw redirect({ to: '/', replace: true });
  },
});
