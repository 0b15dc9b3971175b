import type { ErrorItem } from '../../../contract/errors.ts';
import type { PromptField } from '../../../contract/prompts.ts';
import type { Json, JsonObject } from '../../../contract/run-events.ts';
import { isRealDate } from '../../../contract/values.ts';

const STRING_MAX = 1000;
const TEXT_MAX = 100_000;

type Fault = { code: string; detail: string };

/** Checks the answers and returns them as the script gets them: every field by its name, null where it was left empty. */
export function checkAnswers(fields: readonly PromptField[], given: JsonObject): { answers: JsonObject; errors: ErrorItem[] } {
  const answers: [string, Json][] = [];
  const errors: ErrorItem[] = [];
  const refuse = (name: string, { code, detail }: Fault): void =>
    void errors.push({ pointer: `/answers/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, parameter: null, code, detail });
  for (const field of fields) {
    const value = (Object.hasOwn(given, field.name) ? given[field.name] : null) ?? null;
    const fault = value === null ? missing(field) : faultOf(field, value);
    if (fault) refuse(field.name, fault);
    else answers.push([field.name, value]);
  }
  const known = new Set(fields.map(({ name }) => name));
  for (const name of Object.keys(given)) {
    if (!known.has(name))
      refuse(name.slice(0, 100), {
        code: 'invalid_value',
        detail: `the prompt has no field of this name; its fields are ${[...known].join(', ')}`,
      });
  }
  return { answers: Object.fromEntries(answers), errors };
}

function missing({ required }: PromptField): Fault | null {
  return required ? { code: 'required', detail: 'is required' } : null;
}

function faultOf({ kind, options = [], required }: PromptField, value: Json): Fault | null {
  switch (kind) {
    case 'string':
      return textFault(value, STRING_MAX, required === true);
    case 'text':
      return textFault(value, TEXT_MAX, required === true);
    case 'number':
      return typeof value === 'number' ? null : wrongType('a number');
    case 'boolean':
      return typeof value === 'boolean' ? null : wrongType('true or false');
    case 'date':
      if (typeof value !== 'string') return wrongType('a date as YYYY-MM-DD');
      return isRealDate(value) ? null : { code: 'invalid_date', detail: 'must be a real date as YYYY-MM-DD' };
    case 'choice':
      if (options.some((option) => option === value)) return null;
      return { code: 'invalid_enum', detail: `must be one of ${JSON.stringify(options).slice(0, 300)}` };
    default:
      return kind satisfies never;
  }
}

function textFault(value: Json, max: number, required: boolean): Fault | null {
  if (typeof value !== 'string') return wrongType('a string');
  if (required && value.trim() === '') return { code: 'blank', detail: 'must not be empty' };
  if (value.length > max) return { code: 'too_long', detail: `must have at most ${max} characters` };
  return value.includes('\u0000') ? { code: 'invalid_value', detail: 'must not contain U+0000' } : null;
}

function wrongType(name: string): Fault {
  return { code: 'invalid_type', detail: `must be ${name}` };
}
