import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { z } from 'zod';
import { endpointList } from '../../contract/index.ts';
import { requestOf, takeAim } from '../../scripts/bad-input/endpoints.ts';
import { openTarget, type Target } from '../../scripts/bad-input/shop.ts';
import { appendixA } from './appendix-a.ts';
import { useOwnRecords, useOwnRuns, useOwnVersions } from './own-records.ts';

/** Calls every endpoint at the records of a shop and reads each answer by the document that the server serves. */

const Content = z.record(z.string(), z.object({ schema: z.record(z.string(), z.unknown()) }));
const Response = z.union([z.object({ $ref: z.string() }), z.object({ content: Content.optional() })]);
const Operation = z.object({ operationId: z.string(), responses: z.record(z.string(), Response) });
const Document = z.object({
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.object({
    schemas: z.record(z.string(), z.record(z.string(), z.unknown())),
    responses: z.record(z.string(), z.object({ content: Content.optional() })),
  }),
});

/** What only a longer story leads to, told by its own tests; what a record or a run suffices for is in own-records.ts. */
const toldElsewhere: readonly string[] = ['llm.complete', 'replays.get', 'replays.start', 'runner.list_answers'];

let target: Target;
const read = new Map<string, Set<number>>();
const wrong: string[] = [];
before(async () => {
  target = await openTarget('', undefined);
  const { send } = target;
  const check = checkOf((await send({ method: 'GET', path: '/openapi.json' })).text);
  target.send = async (request) => {
    const answer = await send(request);
    const { id, problem } = check(request.method, request.path.replace(/\?.*/, ''), answer);
    if (problem !== null) wrong.push(`${id} ${answer.status}: ${problem}`);
    read.set(id, (read.get(id) ?? new Set()).add(answer.status));
    return answer;
  };
  target.whole = (_, request) => target.send(request);
  const aims = await takeAim(target);
  await useOwnRecords(target);
  await useOwnRuns(target);
  await useOwnVersions(target);
  for (const aim of aims.filter(({ endpoint }) => endpoint.method === 'DELETE')) await target.send(requestOf(aim));
});
after(() => target.close());

test('every answer, good or bad, is as the document says, and has no field that it does not name', () => {
  assert.deepEqual([...new Set(wrong)].slice(0, 20), []);
});

test('every endpoint gave its good answer, by the document: those of Appendix A and those that are added', () => {
  const isGood = (id: string) => [...(read.get(id) ?? [])].some((status) => status < 300);
  assert.deepEqual(
    endpointList
      .map(({ id }) => id)
      .filter((id) => !isGood(id))
      .sort(),
    toldElsewhere,
  );
  assert.equal(endpointList.filter(({ added }) => !added).length, appendixA.length);
});

test('an answer that lacks a field, or has one too many or of another type, would be seen', () => {
  const check = z.fromJSONSchema(closed({ type: 'object', properties: { a: { type: 'integer', default: 1 } }, required: ['a'] }));
  for (const bad of [{}, { a: '1' }, { a: 1, b: 1 }]) assert.equal(check.safeParse(bad).success, false);
  assert.ok(check.safeParse({ a: 1 }).success);
});

type Schema = { [name: string]: unknown };

/** Reads one answer: zod only lends its reader of JSON Schema, the schemas are those of the text that was served. */
function checkOf(text: string) {
  const document = Document.parse(JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/')));
  const $defs = Object.fromEntries(Object.entries(document.components.schemas).map(([name, schema]) => [name, closed(schema)]));
  const routes = Object.entries(document.paths)
    .map(([path, item]) => ({ path: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`), words: path.split('{').length, item }))
    .sort((a, b) => a.words - b.words);
  const known = new Map<string, z.ZodType>();
  return (method: string, path: string, { status, text: body }: { status: number; text: string }) => {
    const operation = routes.find((route) => route.path.test(path))?.item[method.toLowerCase()];
    const id = operation?.operationId ?? `${method} ${path}`;
    const found = operation?.responses[status];
    if (!found) return { id, problem: 'the document has no such answer' };
    const { content } = '$ref' in found ? (document.components.responses[found.$ref.split('/').at(-1) ?? ''] ?? {}) : found;
    const schema = content?.['application/json']?.schema;
    if (!schema) return { id, problem: content === undefined && body !== '' ? 'a body where none is' : null };
    const key = `${id} ${status}`;
    const reader = known.get(key) ?? z.fromJSONSchema({ ...closed(schema), $defs });
    known.set(key, reader);
    const { error } = reader.safeParse(JSON.parse(body));
    return { id, problem: error ? z.prettifyError(error) : null };
  };
}

/** The same schemas without room for what they do not name, or for leaving out what has a default. */
function closed(schema: Schema): Schema {
  const copy: Schema = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [
      name,
      isSchema(value) ? closed(value) : Array.isArray(value) ? value.map((one) => (isSchema(one) ? closed(one) : one)) : value,
    ]),
  );
  if (copy['type'] !== undefined && 'default' in copy && !isSchema(schema['default'])) delete copy['default'];
  if (isSchema(copy['properties']) && copy['type'] !== undefined && copy['additionalProperties'] === undefined)
    copy['additionalProperties'] = false;
  return copy;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
