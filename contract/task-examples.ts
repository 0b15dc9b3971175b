import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { ShownGrants } from './grants.ts';
import { Json } from './run-events.ts';
import { ParameterDeclaration, TaskSettingsChange } from './tasks.ts';

/** Tasks to start from, which come with the program. */

export const exampleTopics = ['orders', 'products', 'customers', 'marketing', 'reports', 'connections'] as const;
export type ExampleTopic = (typeof exampleTopics)[number];

const TaskExampleRow = z
  .object({
    name: z.string().meta({ description: 'The name of its files, by which it is asked for' }),
    title: z.string(),
    description: z.string(),
    topic: z.enum(exampleTopics),
    permissions: z.array(z.string()),
    ...ShownGrants.shape,
    parameters: z.array(ParameterDeclaration),
  })
  .meta({ id: 'TaskExampleRow' });

/** What a dry run on the sample shop would change, with changes of the same fields as one; lists are cut, counts are whole. */
export const ExamplePlan = z
  .object({
    writes: z.int().meta({ description: 'How many writes the dry run had' }),
    changes: z.array(
      z.object({
        count: z.int(),
        type: z.string().meta({ description: 'The kind of record' }),
        fields: z.array(
          z.object({
            name: z.string(),
            before: Json,
            after: Json,
            varies: z.boolean().meta({ description: 'The values are those of one of several' }),
          }),
        ),
      }),
    ),
    results: z.array(z.object({ status: z.string(), count: z.int(), items: z.array(z.string()).meta({ description: 'The first ones' }) })),
    files: z.array(z.string()).meta({ description: 'The names of the files that it writes for people to download' }),
  })
  .meta({ id: 'ExamplePlan' });
export type ExamplePlan = z.infer<typeof ExamplePlan>;

const TaskExample = TaskExampleRow.extend({
  settings: TaskSettingsChange.omit({ error_handler: true }),
  source_code: z.string(),
  test_code: z.string().nullable().meta({ description: 'Its test, for `backroom task test`; null where it has none' }),
  plan: ExamplePlan,
}).meta({ id: 'TaskExample' });

export const taskExamplesEndpoints = endpointsOf(
  {
    id: 'task_examples.list',
    method: 'GET',
    path: '/task-examples',
    summary: 'List the tasks to start from, by topic and title',
    permission: 'admin_api.ai_tasks.read',
    response: z.array(TaskExampleRow),
  },
  {
    id: 'task_examples.get',
    method: 'GET',
    path: '/task-examples/{name}',
    summary: 'Get a task to start from, with its source, its test and what it would change in the sample shop',
    permission: 'admin_api.ai_tasks.read',
    record: 'task_example',
    response: TaskExample,
  },
);
