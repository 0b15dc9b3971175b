import '@fontsource-variable/geist/wght.css';
import '@fontsource-variable/geist-mono/wght.css';
import './ui/tokens.css';
import './ui/base.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiError } from './api/client.ts';
import { session } from './api/session.ts';
import { pollMs } from './app/live.ts';
import { startTheme } from './app/theme.ts';
import { language } from './language/language.ts';
import { meQuery } from './parts/shop.ts';
import { router } from './routes.ts';
import { startShortcuts } from './ui/shortcuts.ts';

document.documentElement.lang = language;
startTheme();
startShortcuts();

const RETRIES = 2;

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // Only while the tab is visible.
      refetchInterval: pollMs,
      retry: (failures, error) => failures < RETRIES && (!(error instanceof ApiError) || error.status >= 500),
    },
  },
});

// The page's own files are loaded meanwhile.
if (session.token() !== null) void queries.prefetchQuery(meQuery);

const place = document.querySelector('#root');
if (!place) throw new Error('the page has no #root');
createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
