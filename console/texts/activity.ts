import { translated, type Words } from '../language/translated.ts';

const english = {
  title: 'Activity',
  kinds: { notifications: 'Notifications', log: 'Log', audit: 'Changes', mails: 'Mails', deliveries: 'Webhooks' },
  noKind: 'There is no such list, or your token may not see it.',
  notifications: {
    none: 'Nothing was told yet.',
    times: (count: number) => (count === 1 ? '' : ` × ${count}`),
    unread: (count: number) => (count === 1 ? '1 is new' : `${count} are new`),
    readAll: 'Mark all as read',
    read: 'Mark as read',
    severity: { error: 'Error', warning: 'Warning', info: 'News' },
    columns: { what: 'What', when: 'When' },
    toRun: 'To the run',
    toReview: 'To the review',
    toOrder: 'To the order',
    toLink: 'Open',
    newer: 'Newer',
    older: 'Older',
  },
  log: {
    none: 'Nothing was logged yet.',
    source: 'From',
    sources: { all: 'everywhere', admin: 'admins', ai_task: 'tasks', webhook: 'webhooks', mcp: 'tools' },
    columns: { when: 'When', who: 'Who', what: 'What', status: 'Result' },
    run: 'run',
  },
  audit: {
    none: 'Nothing was changed yet.',
    columns: { when: 'When', who: 'Who', what: 'What', on: 'On', changes: 'Change' },
    system: 'the shop itself',
    filters: { action: 'Action, such as orders.edit', type: 'Kind, such as order', id: 'Number', from: 'From', to: 'To' },
    more: (count: number) => `and ${count} more`,
  },
  mails: {
    none: 'No mail was written yet.',
    status: 'State',
    allStatuses: 'all',
    columns: { when: 'When', to: 'To', subject: 'Subject', status: 'State', act: 'Act' },
    retry: 'Send now',
    retryNamed: (subject: string) => `Send now: “${subject}”`,
    byRun: (run: number) => `from run ${run}`,
    due: (seconds: number) => (seconds === 0 ? 'is sent next' : `next try in ${seconds} s`),
  },
  deliveries: {
    choose: 'Address',
    none: 'Nothing was sent to this address yet.',
    noEndpoint: 'No address is told of events yet.',
    statuses: { all: 'all', pending: 'waiting', delivered: 'delivered', failed: 'failed' },
    status: 'State',
    columns: { when: 'When', event: 'Event', status: 'State', attempts: 'Tries', answer: 'Answer' },
    retry: 'Send again',
    retryNamed: (event: string) => `Send again: ${event}`,
    older: 'Older',
    newest: 'Newest',
    payload: 'What is sent',
    error: 'Why not',
  },
} as const;

export type ActivityText = Words<typeof english>;
export const activityText = translated('activity', english);
