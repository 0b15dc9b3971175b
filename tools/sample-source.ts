import { z } from 'zod';

type JsonSchema = {
  type?: string | string[] | undefined;
  properties?: Record<string, JsonSchema> | undefined;
  required?: string[] | undefined;
  enum?: unknown[] | undefined;
  const?: unknown;
  anyOf?: JsonSchema[] | undefined;
  oneOf?: JsonSchema[] | undefined;
  allOf?: JsonSchema[] | undefined;
  items?: JsonSchema | undefined;
  minItems?: number | undefined;
  format?: string | undefined;
  minimum?: number | undefined;
  $ref?: string | undefined;
  $defs?: Record<string, JsonSchema> | undefined;
};
const JsonSchema: z.ZodType<JsonSchema> = z.lazy(() =>
  z
    .object({
      type: z.union([z.string(), z.array(z.string())]),
      properties: z.record(z.string(), JsonSchema),
      required: z.array(z.string()),
      enum: z.array(z.unknown()),
      const: z.unknown(),
      anyOf: z.array(JsonSchema),
      oneOf: z.array(JsonSchema),
      allOf: z.array(JsonSchema),
      items: JsonSchema,
      minItems: z.number(),
      format: z.string(),
      minimum: z.number(),
      $ref: z.string(),
      $defs: z.record(z.string(), JsonSchema),
    })
    .partial(),
);
type Defs = Record<string, JsonSchema>;

/** The smallest value that a schema takes, as source; of a change, where all may be left out, its first field. */
export function sampleSource(schema: z.ZodType, { isChange = false } = {}): string {
  const json = JsonSchema.parse(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
  const defs = json.$defs ?? {};
  const [first] = isChange && (json.required ?? []).length === 0 ? Object.keys(json.properties ?? {}) : [];
  return sourceOf(first === undefined ? json : { ...json, required: [first] }, defs);
}

function sourceOf(schema: JsonSchema, defs: Defs): string {
  const { $ref, enum: values, anyOf, oneOf, allOf, properties } = schema;
  if ($ref !== undefined) return sourceOf(defs[$ref.slice($ref.lastIndexOf('/') + 1)] ?? {}, defs);
  if (schema.const !== undefined) return literal(schema.const);
  if (values) return literal(values[0]);
  const [choice] = anyOf ?? oneOf ?? allOf ?? [];
  if (choice && properties === undefined) return sourceOf(choice, defs);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'object') return objectSource(schema, defs);
  if (type === 'array') return arraySource(schema, defs);
  if (type === 'string') return textSource(schema.format);
  if (type === 'integer' || type === 'number') return String(Math.max(1, schema.minimum ?? 1));
  return type === 'boolean' ? 'true' : type === 'null' ? 'null' : '{}';
}

function objectSource({ required = [], properties }: JsonSchema, defs: Defs): string {
  const fields = required.map(
    (name) => `${/^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name)}: ${sourceOf(properties?.[name] ?? {}, defs)}`,
  );
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}

function arraySource({ minItems = 0, items = {} }: JsonSchema, defs: Defs): string {
  return minItems === 0 && items.type === 'object' ? '[]' : `[${sourceOf(items, defs)}]`;
}

function textSource(format: string | undefined): string {
  return format === 'date' ? "'2026-01-31'" : format === 'date-time' ? "'2026-01-31T12:00:00Z'" : "'…'";
}

const literal = (value: unknown): string => (typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : JSON.stringify(value));
