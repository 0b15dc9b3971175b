import { json } from './editor-files.ts';

/** The files of a project of tasks, besides its tasks and what `task new` writes. */

const NODE = '>=26';

type Of = { name: string; version: string };

export function projectFiles({ name, version }: Of): Readonly<Record<string, string>> {
  return {
    'package.json': json({
      name,
      private: true,
      type: 'module',
      engines: { node: NODE },
      scripts: {
        test: 'backroom task test --dir tasks',
        check: 'tsc -p tasks/tsconfig.tasks.json && tsc -p tasks/tsconfig.tests.json',
        push: 'backroom task push --dir tasks',
      },
      devDependencies: { '@types/node': '^26.0.0', backroom: `^${version}`, typescript: '^7.0.0' },
    }),
    '.gitignore': 'node_modules\n.backroom.json\n',
    '.github/workflows/tasks.yml': WORKFLOW,
    'AGENTS.md': AGENTS,
    '.claude/skills/write-task/SKILL.md': SKILL,
  };
}

const WORKFLOW = `name: Tasks
on:
  push:
  pull_request:
jobs:
  tasks:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v5
      - uses: actions/setup-node@v5
        with:
          node-version: 26
          cache: npm
      - run: npm ci
      - run: npm run check
      - run: npm test
      # A pushed version waits for a person of the shop, who approves it there. The token needs admin_api.ai_tasks.write.
      - if: github.ref == 'refs/heads/main' && vars.SERVER_URL != ''
        run: npm run push
        env:
          SERVER_URL: \${{ vars.SERVER_URL }}
          BACKROOM_TOKEN: \${{ secrets.BACKROOM_TOKEN }}
`;

const AGENTS = `# Tasks of a shop

Each task is a script that runs in the shop's sandbox: \`tasks/NAME.ts\` is its source, \`tasks/NAME.task.json\` its permissions and
parameters, \`tasks/NAME.test.ts\` its test. How to write a good one: \`.claude/skills/write-task/SKILL.md\`.

\`\`\`sh
npm run check                                   # types: calls that no permission allows do not compile
npm test                                        # tests in the real sandbox, against a temporary shop
npx backroom task new NAME --dir tasks          # a new task; --from EXAMPLE copies one that comes with the program
npx backroom task run NAME --dir tasks --dry-run    # what it would change in the shop, and nothing is changed
npm run push                                    # hands in what has changed
\`\`\`

- Never approve a version, apply a plan or run a task without \`--dry-run\` on somebody's shop: a person decides.
- Everything that a script may use is in \`node_modules/backroom/sandbox-lib/index.ts\`, on one page. It has no network and no files.
- What takes days waits: \`waitFor('order.paid', …)\`, \`sleep\` up to a year, \`waitFor('signal:KEY')\`. Many events at once are gathered by the trigger.
- In a test, \`shop.clock.advance('3 days')\`, \`shop.emit(event)\` and \`shop.signal\` let time pass and things happen.
  \`npx backroom task test NAME --replay RUN_ID --dir tasks\` makes a test of a run that was recorded. It holds what the run has read.
- Examples are in \`node_modules/backroom/tasks-examples/\`, the documents in \`node_modules/backroom/docs/\`.
- Secrets are never in a source: \`secret('NAME')\` gives a stand-in, and the shop has the value.
`;

const SKILL = `---
name: write-task
description: Writes a task script for the shop, tests it and tries it dry. Use it when somebody wants something in the shop done or automated.
---

# Write a good task

1. Ask back if the wish leaves open whom it concerns, when it applies, or what must not happen.
2. Begin at an example that is near: \`ls node_modules/backroom/tasks-examples/*.task.json\`, then
   \`npx backroom task new NAME --from EXAMPLE --dir tasks\`.
3. Read the operations that you call in \`node_modules/backroom/sandbox-lib/index.ts\` and by the types of \`admin\`. What a person may want to
   change is a parameter, with a default.
4. Declare the permissions that its calls need in \`NAME.task.json\`, and no other; read is enough where nothing is written.
   \`npm run check\` tells what is missing.
5. Follow lists with \`each\`. Compare before you write, so that a second run changes nothing. Throw where something is not as expected.
6. Long work: \`await checkpoint(place)\` after each portion, and begin at \`last_checkpoint\`. What must happen once is inside \`once\`.
7. What comes later is waited for: \`waitFor(event, { match, timeout })\` returns the event or null after its time, \`sleep\` lasts up to a year, and
   \`signal\` or a person's signal ends \`waitFor('signal')\`. The run needs no worker meanwhile, so do not look again and again, and do not start a
   second task. What happened meanwhile is read anew. Where many events make one run, the trigger has \`start\`: \`batch\`, \`debounce\`, \`delay\`.
8. \`describe\` says in one line what the run is about, \`details\` shows Markdown on its page: what a person looks for.
9. Test what it changes and what it leaves alone, and that it goes on after an interruption (\`limits\`, \`resume\` of \`shop.run\`): \`npm test\`.
   What waits is tested by \`shop.clock.advance\`, \`shop.emit\` and \`shop.signal\`; a run that was recorded by \`replay\`.
10. Try it dry until its plan is what was wished, and nothing else. Then push it, with a note that says what it changes. A person decides.
`;
