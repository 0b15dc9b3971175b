import type { Message, Usage } from '../../providers/llm/llm.ts';

/** English text has about four characters to a token; other scripts have more bytes to a character but fewer characters to a token. */
const BYTES_A_TOKEN = 4;

type Asked = { messages: readonly Message[]; schema?: Record<string, unknown> | undefined };

/** Estimates the tokens of a prompt before it is sent. */
export function promptTokens({ messages, schema }: Asked): number {
  const texts = messages.map(({ content }) => content);
  if (schema) texts.push(JSON.stringify(schema));
  return texts.reduce((sum, text) => sum + textTokens(text), 0);
}

function textTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_A_TOKEN);
}

/** The tokens that a completion cost: the service's own figures, else an estimate. */
export function usageOf(asked: Asked, { text, usage }: { text: string; usage: Usage | null }): Usage {
  return usage ?? { prompt_tokens: promptTokens(asked), completion_tokens: textTokens(text) };
}

/** `wait` means: the call fits only if the calls under way cost less than they have reserved. */
export function budgetState(limit: number, { spent, held }: { spent: number; held: number }, wanted: number): 'free' | 'wait' | 'spent' {
  if (spent + wanted > limit) return 'spent';
  return spent + held + wanted > limit ? 'wait' : 'free';
}

const SAMPLE_DEPTH = 20;

/**
 * Builds a small value that matches a schema, for a dry run. It is good enough for schemas of plain data; others may get a
 * value that does not match.
 */
export function sampleOf(schema: unknown, root = schema, depth = 0): unknown {
  if (typeof schema !== 'object' || schema === null || depth > SAMPLE_DEPTH) return null;
  const part = (name: string): unknown => Reflect.get(schema, name);
  const list = (name: string): readonly unknown[] => {
    const value = part(name);
    return Array.isArray(value) ? value : [];
  };
  const below = (value: unknown): unknown => sampleOf(value, root, depth + 1);
  const number = (name: string): number | undefined => {
    const value = part(name);
    return typeof value === 'number' ? value : undefined;
  };

  for (const name of ['default', 'const']) if (part(name) !== undefined) return part(name);
  const [first] = [...list('examples'), ...list('enum')];
  if (first !== undefined) return first;
  const reference = part('$ref');
  if (typeof reference === 'string') return below(resolve(root, reference));
  const [variant] = [...list('anyOf'), ...list('oneOf'), ...list('allOf')];
  if (variant !== undefined) return below(variant);

  const type = part('type');
  switch (Array.isArray(type) ? type[0] : type) {
    case 'object':
      return sampleObject(part('properties'), list('required'), below);
    case 'array':
      return Array.from({ length: Math.min(number('minItems') ?? 1, 10) }, () => below(part('items')));
    case 'string':
      return 'sample'.padEnd(Math.min(number('minLength') ?? 0, 1000), '.').slice(0, number('maxLength'));
    case 'integer':
    case 'number':
      return number('minimum') ?? number('maximum') ?? 0;
    case 'boolean':
      return false;
    default:
      return null;
  }
}

function sampleObject(properties: unknown, required: readonly unknown[], below: (schema: unknown) => unknown): object {
  const known = typeof properties === 'object' && properties !== null ? Object.entries(properties) : [];
  return Object.fromEntries(known.filter(([name]) => required.includes(name)).map(([name, schema]) => [name, below(schema)]));
}

/** Resolves a reference within the schema, such as `#/$defs/line`; null where nothing is there. */
function resolve(root: unknown, reference: string): unknown {
  if (!reference.startsWith('#')) return null;
  const names = reference.slice(1).split('/').slice(1);
  return names.reduce<unknown>((at, name) => {
    return typeof at === 'object' && at !== null ? Reflect.get(at, name.replaceAll('~1', '/').replaceAll('~0', '~')) : null;
  }, root);
}
