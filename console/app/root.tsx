import { createRootRoute } from '@tanstack/react-router';
import { text } from '../texts/app.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { PageHead } from '../ui/page.tsx';
import { App } from './shell.tsx';

const t = text.app;

/** The frame of all pages; each feature's `routes.ts` puts its pages below it. */
export const root = createRootRoute({
  component: App,
  notFoundComponent: () => (
    <>
      <PageHead title={t.notFound} />
      <Empty drawing="sign" title={t.notFoundDetail}>
        <ButtonLink to="/">{t.toOverview}</ButtonLink>
      </Empty>
    </>
  ),
  errorComponent: ({ error }) => (
    <>
      <PageHead title={t.broken} />
      <div role="alert">
        <Empty drawing="plug" title={t.brokenDetail} example={error instanceof Error ? error.message : String(error)}>
          <Button kind="first" onClick={() => window.location.reload()}>
            {t.loadAgain}
          </Button>
          <ButtonLink to="/">{t.toOverview}</ButtonLink>
        </Empty>
      </div>
    </>
  ),
});
