import type { ErrorItem } from '../../../contract/errors.ts';
import type { Json, JsonObject } from '../../../contract/run-events.ts';
import type { ParameterDeclaration } from '../../../contract/tasks.ts';
import { isRealDate } from '../../../contract/values.ts';
import { refuseValues } from '../../verbs/problem.ts';

/** The same limit as for the selection of records that a task may be started for. */
const IDS_MAX = 10_000;

const kinds = new Map<string, { accepts: (value: Json) => boolean; name: string }>([
  ['string', { accepts: (v) => typeof v === 'string', name: 'a string' }],
  ['number', { accepts: (v) => typeof v === 'number', name: 'a number' }],
  ['boolean', { accepts: (v) => typeof v === 'boolean', name: 'true or false' }],
  ['date', { accepts: (v) => typeof v === 'string' && isRealDate(v), name: 'a real date as YYYY-MM-DD' }],
  ['json', { accepts: () => true, name: 'any JSON' }],
  ['file', { accepts: isId, name: 'the id of a file' }],
  ['order_ids', { accepts: isIdList, name: `a list of at most ${IDS_MAX} order ids` }],
  ['customer_ids', { accepts: isIdList, name: `a list of at most ${IDS_MAX} customer ids` }],
  ['product_ids', { accepts: isIdList, name: `a list of at most ${IDS_MAX} product ids` }],
]);

function isId(value: Json): boolean {
  return Number.isSafeInteger(value) && Number(value) > 0;
}

function isIdList(value: Json): boolean {
  return Array.isArray(value) && value.length <= IDS_MAX && value.every(isId);
}

export function acceptValues(declarations: readonly ParameterDeclaration[], given: JsonObject): JsonObject {
  const { parameters, errors } = checkParameters(declarations, given);
  if (errors.length > 0) throw refuseValues(errors);
  return parameters;
}

/** Checks declared parameters and adds their defaults; names that are not declared are accepted (spec TK9). */
function checkParameters(
  declarations: readonly ParameterDeclaration[],
  given: JsonObject,
): { parameters: JsonObject; errors: ErrorItem[] } {
  const defaults: [string, Json][] = [];
  const errors: ErrorItem[] = [];
  for (const declaration of declarations) {
    const refuse = (code: string, detail: string): void =>
      void errors.push({ pointer: `/parameters/${declaration.name}`, parameter: null, code, detail });
    const value = Object.hasOwn(given, declaration.name) ? given[declaration.name] : undefined;
    if (value === undefined || value === null) {
      if (declaration.default !== undefined) defaults.push([declaration.name, declaration.default]);
      else if (declaration.required) refuse('required', `the parameter "${declaration.name}" is required`);
      continue;
    }
    const kind = kinds.get(declaration.kind);
    if (kind && !kind.accepts(value)) refuse('invalid_type', `"${declaration.name}" must be ${kind.name}`);
    else if (declaration.options && !declaration.options.some((option) => JSON.stringify(option) === JSON.stringify(value))) {
      refuse('invalid_enum', `"${declaration.name}" must be one of ${JSON.stringify(declaration.options).slice(0, 300)}`);
    }
  }
  // Object.fromEntries makes a plain property of a name such as `__proto__`, which an assignment would not.
  return { parameters: Object.fromEntries([...Object.entries(given), ...defaults]), errors };
}

/** The file ids that checked parameters name, with the parameters' names. */
export function fileParameters(declarations: readonly ParameterDeclaration[], parameters: JsonObject): { name: string; id: number }[] {
  return declarations.flatMap(({ name, kind }) => {
    const id = Object.hasOwn(parameters, name) ? parameters[name] : null;
    return kind === 'file' && typeof id === 'number' ? [{ name, id }] : [];
  });
}

/** The parameters of a run, with what was given for one of them. A computed name in a literal makes a plain property, also of `__proto__`. */
export function withGiven(parameters: JsonObject, name: string | null, given: Json): JsonObject {
  return name === null ? parameters : { ...parameters, [name]: given };
}
