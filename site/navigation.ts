/**
 * Where each page of the site stands: groups in order, each with its pages in order. A page is named by its path in the site without `.md`;
 * its own heading is its title here. `recipes/*` stands for all other pages of that folder, `api/*` for what `site/api/pages.ts` makes, in the
 * order in which it makes it. The build fails where a page stands in no group, or a group names a page that is not there.
 */
export type Group = { title: string; pages: readonly string[] };

/** Documents at the top of the repository that are pages, too: their file, and their path in the site. */
export const ELSEWHERE: Readonly<Record<string, string>> = {
  'ARCHITECTURE.md': 'architecture',
  'CHANGELOG.md': 'changelog',
  'CONTRIBUTING.md': 'contributing',
  'SECURITY.md': 'security',
  'deploy/README.md': 'deploy',
};

export const GROUPS: readonly Group[] = [
  { title: 'Start', pages: ['index', 'tutorial'] },
  {
    title: 'Concepts',
    pages: [
      'concepts/approval',
      'concepts/plans',
      'concepts/exactly-once',
      'concepts/resume',
      'concepts/replay',
      'concepts/undo',
      'concepts/sandbox',
      'concepts/time',
    ],
  },
  { title: 'Recipes', pages: ['recipes/*'] },
  { title: 'Writing tasks', pages: ['tasks', 'assistant', 'agents'] },
  {
    title: 'The shop',
    pages: ['orders', 'customers', 'pages', 'mail', 'stripe', 'webhooks', 'dashboard', 'people', 'passkeys', 'import-online-retail'],
  },
  { title: 'Operations', pages: ['operations', 'scale', 'deploy', 'sandbox'] },
  { title: 'API', pages: ['api/*'] },
  { title: 'Reference', pages: ['cli', 'commands', 'client', 'environment', 'settings'] },
  {
    title: 'Rules',
    pages: [
      'spec/index',
      'spec/http',
      'spec/access',
      'spec/access-groups',
      'spec/catalogue',
      'spec/customers',
      'spec/orders',
      'spec/order-changes',
      'spec/pages',
      'spec/shop',
      'spec/tasks',
      'spec/gestures',
      'spec/scripts',
      'spec/runs',
      'spec/starting-runs',
      'spec/exactly-once',
      'spec/undo',
      'spec/rules',
      'spec/sandbox',
      'spec/agents',
    ],
  },
  {
    title: 'Project',
    pages: [
      'architecture',
      'internals/requests',
      'internals/runs',
      'internals/sandbox',
      'internals/stores',
      'benchmarks',
      'benchmarks/index',
      'contributing',
      'security',
      'releases',
      'changelog',
    ],
  },
];
