import { z } from 'zod';
import type { Endpoint } from '../../contract/endpoint.ts';

/** Types of an operation as TypeScript, short enough for a model. */

export function queryText({ query }: Endpoint): string | undefined {
  return query && typeText(query, 'input');
}

export function bodyText({ body }: Endpoint): string | undefined {
  return body && typeText(body, 'input');
}

export function responseText({ response }: Endpoint): string | undefined {
  return response && typeText(response, 'output');
}

const Node = z.looseObject({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  items: z.unknown().optional(),
  prefixItems: z.array(z.unknown()).optional(),
  additionalProperties: z.unknown().optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
  allOf: z.array(z.unknown()).optional(),
  $defs: z.record(z.string(), z.unknown()).optional(),
});

/** Deeper than this, a type is told by its name alone. */
const DEPTH = 6;

function typeText(schema: z.ZodType, io: 'input' | 'output'): string {
  const root = Node.parse(z.toJSONSchema(schema, { unrepresentable: 'any', io }));
  const defs = root.$defs ?? {};

  function text(value: unknown, depth: number): string {
    const node = Node.safeParse(value);
    if (!node.success || depth > DEPTH) return 'unknown';
    const { $ref, anyOf, oneOf, allOf, properties, items, prefixItems, additionalProperties, type } = node.data;
    if ($ref !== undefined) return $ref === '#' ? 'unknown' : text(defs[$ref.replace('#/$defs/', '')], depth + 1);
    if (node.data.enum) return node.data.enum.map((one) => JSON.stringify(one)).join(' | ');
    if (node.data.const !== undefined) return JSON.stringify(node.data.const);
    const union = anyOf ?? oneOf;
    if (union) return [...new Set(union.map((one) => text(one, depth)))].join(' | ');
    if (allOf) return allOf.map((one) => text(one, depth)).join(' & ');
    if (properties) return objectText(properties, node.data.required ?? [], depth);
    if (prefixItems) return `[${prefixItems.map((one) => text(one, depth + 1)).join(', ')}]`;
    if (items !== undefined) return `(${text(items, depth + 1)})[]`;
    if (typeof additionalProperties === 'object' && additionalProperties !== null)
      return `Record<string, ${text(additionalProperties, depth + 1)}>`;
    const kinds = [type ?? 'unknown'].flat().map((one) => (one === 'integer' ? 'number' : one));
    return kinds.join(' | ');
  }

  function objectText(properties: Record<string, unknown>, required: readonly string[], depth: number): string {
    const fields = Object.entries(properties).map(
      ([name, value]) => `${name}${required.includes(name) ? '' : '?'}: ${text(value, depth + 1)}`,
    );
    return `{ ${fields.join('; ')} }`;
  }

  return text(root, 0);
}
