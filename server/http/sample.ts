import { z } from 'zod';
import type { Endpoint } from '../../contract/endpoint.ts';
import type { Ctx } from '../context.ts';
import { SAMPLE_ID } from '../staged-range.ts';
import type { Asked, Call, Input } from './execute.ts';
import type { Params } from './route.ts';

/**
 * The call as a dry run carries it out where somebody outside would be asked: nobody is, and the answer is a sample of the
 * declared shape, marked (automation.md §6).
 */
export function sampled({ sample, ...asked }: Asked & { sample?: Sample | undefined }): Call {
  const { endpoint, params } = asked;
  const verb: Call['verb'] = async (ctx, input) => (sample ? sample(input) : answerSample(ctx, endpoint, Object.values(params).at(-1)));
  return { ...asked, heavy: false, outside: true, verb };
}

/** A sample that depends on what is asked. */
export type Sample = (input: Input) => unknown;

function answerSample(ctx: Ctx, endpoint: Endpoint, id: string | number | undefined): unknown {
  ctx.audit({
    resource: { type: endpoint.record ?? 'call', id: typeof id === 'number' ? id : null },
    changes: {},
    summary: `${endpoint.id}: nobody was asked, as this is a dry run`,
  });
  const sample = endpoint.response && sampleOf(endpoint.response, ctx.now);
  return isObject(sample) ? { ...sample, dry_run: true } : sample;
}

/** A record that only a sample named: there is nothing to look for. */
export function isOfSample(params: Params): boolean {
  return Object.values(params).includes(SAMPLE_ID);
}

/** A value that the schema accepts: the first of what it names, and as little as it allows. */
export function sampleOf(schema: z.ZodType, now: string): unknown {
  const root = z.toJSONSchema(schema, { unrepresentable: 'any', io: 'output', reused: 'inline' });
  const definitions = isObject(root.$defs) ? root.$defs : {};
  const sample = (node: unknown): unknown => {
    if (!isObject(node)) return null;
    const { $ref, anyOf, oneOf, allOf, type, properties } = node;
    if (typeof $ref === 'string')
      return node['id'] === 'Id' || $ref.endsWith('/Id') ? SAMPLE_ID : sample(definitions[$ref.split('/').at(-1) ?? '']);
    if ('const' in node) return node['const'];
    if (Array.isArray(node['enum'])) return node['enum'][0];
    const choice = [anyOf, oneOf, allOf].find(Array.isArray);
    if (choice) return sample(choice[0]);
    if (type === 'object') {
      return Object.fromEntries(Object.entries(isObject(properties) ? properties : {}).map(([name, value]) => [name, sample(value)]));
    }
    if (type === 'array') return [];
    if (type === 'integer' || type === 'number') return typeof node['minimum'] === 'number' ? Math.max(0, node['minimum']) : 0;
    if (type === 'boolean') return false;
    if (type === 'string') return node['format'] === 'date-time' ? now : node['format'] === 'date' ? now.slice(0, 10) : 'sample';
    return null;
  };
  return sample(root);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
