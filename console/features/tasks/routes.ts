import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { ExampleTopic } from '../../../contract/task-examples.ts';
import { root } from '../../app/root.tsx';
import { defined, flagOf, idOf, readListSearch, textOf, threadOf } from '../../parts/search.ts';
import { besideOf } from './editor/beside.ts';

const getParentRoute = () => root;

/** `older`: the number of the run below which the list of runs begins. */
const readTaskSearch = (raw: Record<string, unknown>) => defined({ older: idOf(raw['older']) });
/** `against`: a version for a further comparison, by which nothing is decided. */
const readReviewSearch = (raw: Record<string, unknown>) => defined({ against: idOf(raw['against']) });
/** `thread`: the assistant is open beside the draft. */
const readThreadSearch = (raw: Record<string, unknown>) => defined({ thread: threadOf(raw['thread']) });
/** `beside`: what stands beside the source. */
const readEditorSearch = (raw: Record<string, unknown>) => defined({ ...readThreadSearch(raw), beside: besideOf(raw['beside']) });
const readTasksSearch = (raw: Record<string, unknown>) =>
  defined({ q: textOf(raw['q']), deleted: flagOf(raw['deleted']), cursor: textOf(raw['cursor']) });

const readExamplesSearch = (raw: Record<string, unknown>) => defined({ q: textOf(raw['q']), topic: topicOf(raw['topic']) });
const topicOf = (raw: unknown): ExampleTopic | undefined => TOPICS.find((topic) => topic === raw);
/** The topics by which examples are found; another one in an address counts as none. */
const TOPICS: readonly ExampleTopic[] = ['orders', 'products', 'customers', 'marketing', 'reports', 'connections'];

export const tasksRoutes = [
  createRoute({
    getParentRoute,
    path: '/tasks',
    validateSearch: readTasksSearch,
    component: lazyRouteComponent(() => import('./list.tsx'), 'TasksPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/tasks/new',
    validateSearch: readExamplesSearch,
    component: lazyRouteComponent(() => import('./examples/gallery.tsx'), 'GalleryPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/tasks/new/empty',
    validateSearch: readEditorSearch,
    component: lazyRouteComponent(() => import('./editor/page.tsx'), 'NewTaskPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/tasks/new/described',
    validateSearch: readThreadSearch,
    component: lazyRouteComponent(() => import('./examples/described.tsx'), 'DescribedPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/tasks/new/$example',
    component: lazyRouteComponent(() => import('./examples/page.tsx'), 'ExamplePage'),
  }),
  createRoute({
    getParentRoute,
    path: '/tasks/$id',
    validateSearch: readTaskSearch,
    component: lazyRouteComponent(() => import('./overview.tsx'), 'TaskPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/tasks/$id/editor',
    validateSearch: readEditorSearch,
    component: lazyRouteComponent(() => import('./editor/page.tsx'), 'EditorPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/tasks/$id/versions/$v',
    validateSearch: readReviewSearch,
    component: lazyRouteComponent(() => import('./review/page.tsx'), 'ReviewPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/tasks/$id/schedules',
    validateSearch: readListSearch,
    component: lazyRouteComponent(() => import('./starts/schedules.tsx'), 'SchedulesPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/tasks/$id/triggers',
    validateSearch: readListSearch,
    component: lazyRouteComponent(() => import('./starts/triggers.tsx'), 'TriggersPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/tasks/$id/hooks',
    validateSearch: readListSearch,
    component: lazyRouteComponent(() => import('./starts/hooks.tsx'), 'HooksPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/tasks/$id/settings',
    component: lazyRouteComponent(() => import('./settings/page.tsx'), 'TaskSettingsPage'),
  }),
] as const;
