import { parseArgs } from 'node:util';
import { answerQuestions } from '../cli/answers.ts';
import { connectShop, type RemoteShop } from '../cli/remote-shop.ts';
import { showRun } from '../cli/run-screen.ts';
import { ApiError } from '../contract/client.ts';
import { JsonObject } from '../contract/run-events.ts';
import { CommandError } from '../server/shop-data/command.ts';
import { exampleNames, pushExample } from './example-tasks.ts';

const USAGE = `npm run examples -- list
npm run examples -- push [NAME]...             creates the tasks, or gives them a new version
npm run examples -- run NAME [--set KEY=VALUE]...   pushes one, runs it and shows it
  --server URL   (or SERVER_URL; default http://127.0.0.1:8787)
  --token TOKEN  an access token (or BACKROOM_TOKEN)
  --set          a parameter; its value is read as JSON where it is some, else as text
  --file KEY=PATH    a parameter of kind file: uploads the file and gives its id
  --answer KEY=VALUE answers what the run asks for under this name`;

const { out, err } = { out: process.stdout, err: process.stderr };

try {
  await main();
} catch (error) {
  if (!(error instanceof Error) || !isExpected(error)) throw error;
  const isUnreachable = error.message === 'fetch failed';
  err.write(`${isUnreachable ? 'The server cannot be reached: is it running, and is --server its address?' : error.message}\n`);
  process.exitCode = error instanceof CommandError ? error.exitCode : 1;
}

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      server: { type: 'string', default: process.env['SERVER_URL'] || 'http://127.0.0.1:8787' },
      token: { type: 'string', default: process.env['BACKROOM_TOKEN'] ?? '' },
      set: { type: 'string', multiple: true, default: [] },
      file: { type: 'string', multiple: true, default: [] },
      answer: { type: 'string', multiple: true, default: [] },
    },
  });
  const [command, ...names] = positionals;
  const known = await exampleNames();
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new CommandError(`there is no example "${unknown}"; there are: ${known.join(', ')}`);
  if (command === 'list') return void out.write(`${known.join('\n')}\n`);
  if (command !== 'push' && command !== 'run') throw new CommandError(USAGE);
  if (values.token === '') throw new CommandError(`an access token is needed: --token or BACKROOM_TOKEN\n\n${USAGE}`);
  const shop = connectShop(values.server.replace(/\/+$/, ''), values.token);
  if (command === 'push') return push(shop, names.length > 0 ? names : known);
  const [name, ...rest] = names;
  if (name === undefined || rest.length > 0) throw new CommandError(`exactly one example can be run at a time\n\n${USAGE}`);
  const parameters = { ...readValues('--set', values.set), ...(await uploadFiles(shop, values.file)) };
  await run(shop, name, parameters, readValues('--answer', values.answer));
}

async function push(shop: RemoteShop, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const { taskId, outcome } = await pushExample(shop.client, name);
    out.write(`${name}: task ${taskId}, ${outcome}\n`);
  }
}

async function run(shop: RemoteShop, name: string, parameters: JsonObject, answers: JsonObject): Promise<void> {
  const { taskId } = await pushExample(shop.client, name);
  const { run_id: runId } = await shop.client.ai_tasks.start_run(taskId, { parameters });
  err.write(`${name}: run ${runId} of task ${taskId}\n`);
  const answer = answerQuestions(shop, { taskId, runId }, answers, (text) => void err.write(`${text}\n`));
  const { status } = await showRun(shop, taskId, runId, out, { onEvent: answer });
  if (status !== 'success') process.exitCode = 1;
}

async function uploadFiles(shop: RemoteShop, pairs: readonly string[]): Promise<JsonObject> {
  const ids: JsonObject = {};
  for (const pair of pairs) {
    const [key, path] = splitPair('--file', pair);
    ids[key] = await shop.upload(path);
  }
  return ids;
}

function readValues(option: string, pairs: readonly string[]): JsonObject {
  const entries = pairs.map((pair) => {
    const [key, value] = splitPair(option, pair);
    return [key, readValue(value)];
  });
  return JsonObject.parse(Object.fromEntries(entries));
}

function splitPair(option: string, pair: string): [key: string, value: string] {
  const at = pair.indexOf('=');
  if (at < 1) throw new CommandError(`${option} ${pair}: KEY=VALUE is expected`);
  return [pair.slice(0, at), pair.slice(at + 1)];
}

function readValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function isExpected(error: Error): boolean {
  if (error instanceof CommandError || error instanceof ApiError) return true;
  const isBadUse = 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
  const isMissingFile = 'code' in error && error.code === 'ENOENT';
  return isBadUse || isMissingFile || error.message === 'fetch failed';
}
