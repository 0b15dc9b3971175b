import { createHash } from 'node:crypto';
import { notFound } from '../../verbs/problem.ts';
import type { RecordVersions } from '../../verbs/record-versions.ts';
import { type Routes, read } from '../../verbs/route.ts';
import { readExamples } from './files.ts';

export const taskExampleRoutes = {
  'task_examples.list': read(async () =>
    [...(await readExamples()).values()].map(({ settings, source_code, test_code, plan, ...row }) => row),
  ),
  'task_examples.get': read(async (_ctx, { params }) => {
    const example = (await readExamples()).get(params.name);
    if (!example) throw notFound('example', params.name);
    return example;
  }),
} satisfies Partial<Routes>;

export const recordVersions = {
  // An example changes with the program.
  task_example: async (_db, { name }) => {
    const example = (await readExamples()).get(String(name));
    return example ? createHash('sha256').update(JSON.stringify(example)).digest().readUIntBE(0, 6) : null;
  },
} satisfies RecordVersions;
