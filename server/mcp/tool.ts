import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { refuseValues } from '../verbs/problem.ts';
import type { Caller } from './caller.ts';

/** A tool that agents call. It only reads, or proposes something that a person decides on. */
export type Tool<Input extends z.ZodObject = z.ZodObject> = {
  name: string;
  description: string;
  input: Input;
  readOnly: boolean;
  /** Resolves with data of the shop. */
  run(input: z.output<Input>, caller: Caller): Promise<unknown>;
};

/** Reads what a model wrote by a schema; refuses it with the place of each fault. */
export function readBy<T extends z.ZodType>(schema: T, given: unknown): z.output<T> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw refuseValues(
    parsed.error.issues.map(({ path, message }) => ({
      pointer: `/${path.join('/')}`,
      parameter: null,
      code: 'invalid_value',
      detail: message,
    })),
  );
}

/** An id, and how long to wait for a run; the API checks ids, and says what is wrong. */
export const Id = z.number();
export const Seconds = z.number().min(0).max(60).default(30);

/** What says nothing to a model, which reads the schemas of all tools each time. */
const LEFT_OUT: ReadonlySet<string> = new Set(['$schema', 'additionalProperties', 'propertyNames', 'minLength', 'maxLength', 'minimum']);
const EMPTY: ReadonlySet<string> = new Set(['0', '""', '[]', '{}']);

/** `items` and `properties` stay also where they are empty: some models take no array or object without them. */
function isLeftOut(name: string, value: unknown, io: 'input' | 'output'): boolean {
  return LEFT_OUT.has(name) || (name === 'required' && io === 'output') || (name === 'default' && EMPTY.has(JSON.stringify(value)));
}

/** The schema as the list of tools shows it. */
export function shownSchema<T extends z.ZodObject>(schema: T): StandardSchemaWithJSON<z.input<T>, z.output<T>> {
  const standard = schema['~standard'];
  const short = (io: 'input' | 'output') => {
    // The SDK asks at each call of a tool.
    const made = new Map<string, Record<string, unknown>>();
    return (options: Parameters<(typeof standard)['jsonSchema'][typeof io]>[0]): Record<string, unknown> => {
      const known = made.get(options.target);
      if (known) return known;
      const text = JSON.stringify(standard.jsonSchema[io](options), (name, value: unknown) =>
        isLeftOut(name, value, io) ? undefined : value,
      );
      const schema = z.record(z.string(), z.unknown()).parse(JSON.parse(text));
      made.set(options.target, schema);
      return schema;
    };
  };
  return { '~standard': { ...standard, jsonSchema: { input: short('input'), output: short('output') } } };
}

/** Declares a tool, keeping the type of its input, which is read by its schema. */
export function toolOf<Input extends z.ZodObject>(tool: Tool<Input>): Tool {
  return { ...tool, run: (input, caller) => tool.run(readBy(tool.input, input), caller) };
}
