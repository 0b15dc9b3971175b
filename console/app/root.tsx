import { createRootRoute, Link } from '@tanstack/react-router';
import { text } from '../texts/app.ts';
import { Empty, PageHead } from '../ui/page.tsx';
import { Problem } from '../ui/problem.tsx';
import { App } from './shell.tsx';

/** The frame of all pages; each feature's `routes.ts` puts its pages below it. */
export const root = createRootRoute({
  component: App,
  notFoundComponent: () => (
    <Empty title={text.app.notFound}>
      <Link to="/">{text.app.toOverview}</Link>
    </Empty>
  ),
  errorComponent: ({ error, reset }) => (
    <>
      <PageHead title={text.app.broken} />
      <Problem error={error} retry={reset} />
    </>
  ),
});
