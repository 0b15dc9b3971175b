import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Reads the project's Dockerfile and .dockerignore as a builder does. */

const text = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');

export type Stage = { name: string; from: string; steps: { word: string; rest: string }[] };

/** The stages in their order; a stage has its own steps, without those of the stage that it begins with. */
export function dockerStages(): Stage[] {
  const lines = text('Dockerfile')
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const stages: Stage[] = [];
  for (const line of lines) {
    const [word = '', ...rest] = line.split(' ');
    const named = /^(\S+) AS (\S+)$/.exec(rest.join(' '));
    if (word === 'FROM') stages.push({ from: named?.[1] ?? '', name: named?.[2] ?? '', steps: [] });
    else stages.at(-1)?.steps.push({ word, rest: rest.join(' ') });
  }
  return stages;
}

/** What an image has at the end: its steps with those of the stages below it, in their order. */
export function dockerImage(name: string, stages = dockerStages()) {
  const chain: Stage[] = [];
  for (let at: string | undefined = name; at !== undefined; ) {
    const stage = stages.find((one) => one.name === at);
    if (stage) chain.unshift(stage);
    at = stage?.from;
  }
  const steps = chain.flatMap((stage) => stage.steps);
  const last = (word: string): string => steps.findLast((step) => step.word === word)?.rest ?? assert.fail(`${name} has no ${word}`);
  const env = new Map(
    steps
      .filter(({ word }) => word === 'ENV')
      .flatMap(({ rest }) => rest.split(' '))
      .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  );
  return { base: chain[0]?.from ?? '', steps, last, env, user: steps.findLast((step) => step.word === 'USER')?.rest ?? null };
}

/** Whether a builder is given the file: the last line of .dockerignore that names it, or a folder above it, decides. */
export function isGivenToBuilder(path: string): boolean {
  const folders: string[] = [];
  for (let at = path; at !== '.'; at = dirname(at)) folders.push(at);
  let given = true;
  for (const line of text('.dockerignore').split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const pattern = patternOf(line.replace(/^!/, ''));
    if (folders.some((folder) => pattern.test(folder))) given = line.startsWith('!');
  }
  return given;
}

/** Unlike in a shell, `*` stands for names that begin with a dot, too. */
function patternOf(glob: string): RegExp {
  const parts = glob.split('**/').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]*'));
  return new RegExp(`^${parts.join('(?:.*/)?')}$`);
}
