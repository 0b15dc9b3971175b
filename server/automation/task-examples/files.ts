import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { ResponseOf } from '../../../contract/endpoint.ts';
import { Grants } from '../../../contract/grants.ts';
import type { Endpoints } from '../../../contract/index.ts';
import { ExamplePlan, exampleTopics } from '../../../contract/task-examples.ts';
import { ParameterDeclaration, TaskSettingsChange } from '../../../contract/tasks.ts';

/** The examples, which are files of the program: they are read when somebody first asks for them, and kept. */

export type Example = ResponseOf<Endpoints['task_examples.get']>;

const FOLDER = fileURLToPath(new URL('../../../tasks-examples/', import.meta.url));
const META = '.task.json';

const Meta = z.object({
  name: z.string(),
  description: z.string(),
  topic: z.enum(exampleTopics),
  permissions: z.array(z.string()),
  parameters: z.array(ParameterDeclaration),
  settings: TaskSettingsChange.omit({ error_handler: true }).default({}),
  ...Grants.shape,
});
const Plans = z.record(z.string(), ExamplePlan);

let examples: Promise<ReadonlyMap<string, Example>> | undefined;

/** All examples by the names of their files, in the order of topics and titles. */
export function readExamples(): Promise<ReadonlyMap<string, Example>> {
  examples ??= readAll().catch((error) => {
    examples = undefined;
    throw error;
  });
  return examples;
}

async function readAll(): Promise<ReadonlyMap<string, Example>> {
  const files = new Set(await readdir(FOLDER));
  const plans = Plans.parse(JSON.parse(await readFile(`${FOLDER}plans.json`, 'utf8')));
  const names = [...files].flatMap((file) => (file.endsWith(META) ? [file.slice(0, -META.length)] : []));
  const read = await Promise.all(names.map((name) => readExample(name, plans[name], files.has(`${name}.test.ts`))));
  const topicOf = ({ topic }: Example): number => exampleTopics.indexOf(topic);
  read.sort((a, b) => topicOf(a) - topicOf(b) || (a.title < b.title ? -1 : 1));
  return new Map(read.map((example) => [example.name, example]));
}

async function readExample(name: string, plan: ExamplePlan | undefined, hasTest: boolean): Promise<Example> {
  if (!plan) throw new Error(`plans.json has no plan of ${name}`);
  const text = (ending: string): Promise<string> => readFile(`${FOLDER}${name}${ending}`, 'utf8');
  const { name: title, ...meta } = Meta.parse(JSON.parse(await text(META)));
  return { name, title, ...meta, source_code: await text('.ts'), test_code: hasTest ? await text('.test.ts') : null, plan };
}
