import { z } from 'zod';
import { isChangeType } from '../../../contract/changes.ts';
import type { Endpoint } from '../../../contract/endpoint.ts';
import { SAMPLE_ID } from '../../values/staged-range.ts';
import type { Ctx } from '../../verbs/context.ts';
import { Refusal } from '../../verbs/problem.ts';
import { type Input, OUTSIDE, type Params, type StepsRoute } from '../../verbs/route.ts';
import type { Call, VerbCall } from '../call.ts';

/**
 * The form of a call that a dry run carries out if its verb might ask somebody outside. What needs nobody outside is carried out normally;
 * everything else is answered by a sample of the declared shape, marked as such (spec DR4).
 */
export function sampled(call: Call, route: OutsideParts): VerbCall {
  const { endpoint, params } = call;
  const outside = { isAsked: true };
  const verb: VerbCall['verb'] = async (ctx, input) => {
    const done = route.inside && !namesSampleRecord(params) ? await route.inside(ctx, input) : OUTSIDE;
    outside.isAsked = done === OUTSIDE;
    if (done !== OUTSIDE) return done;
    const answer = route.sample ? await route.sample(ctx, input) : endpoint.response && sampleOf(endpoint.response, ctx.now);
    if (endpoint.writes !== false && !route.samplesEffect) auditSample(ctx, endpoint, Object.values(params).at(-1));
    return isObject(answer) ? { ...answer, dry_run: true } : answer;
  };
  return { ...call, isHeavy: false, outside, verb };
}

/** The verb that applies a planned call: nobody outside was asked when the plan was made, and nobody is asked now. */
export function insideVerb(route: OutsideParts): VerbCall['verb'] | undefined {
  if (!route.inside) return undefined;
  return async (ctx, input) => {
    const done = await route.inside?.(ctx, input);
    if (done === OUTSIDE)
      throw new Refusal(
        'not_applicable',
        'One of the planned writes would now have to ask somebody outside the shop, which applying a plan does not do.',
      );
    return done;
  };
}

/** The parts of a steps route that can run without asking anybody outside. */
type OutsideParts = Pick<StepsRoute<Input, unknown>, 'inside' | 'sample' | 'samplesEffect'>;

function auditSample(ctx: Ctx, endpoint: Endpoint, id: string | number | undefined): void {
  const { record = 'call' } = endpoint;
  ctx.audit({
    resource: { type: isChangeType(record) ? record : 'call', id: typeof id === 'number' ? id : null },
    changes: {},
    summary: `${endpoint.id}: nobody was asked, as this is a dry run`,
  });
}

/** Whether the path names a record that exists only in a sample. */
export function namesSampleRecord(params: Params): boolean {
  return Object.values(params).includes(SAMPLE_ID);
}

/** Makes a value that the schema accepts: the first alternative, and the smallest value, that it allows. */
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
