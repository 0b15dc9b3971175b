import type { ParameterDeclaration } from '../../contract/tasks.ts';

/** The parameters that a version declares; it stores them as JSON text, which the server has checked. */
export function declarationsOf({ parameters }: { parameters: string }): ParameterDeclaration[] {
  const list: unknown = JSON.parse(parameters);
  return Array.isArray(list) ? declarationsIn(list) : [];
}

/** What of a list is a declaration: a draft may be unfinished, or written by a model. */
export function declarationsIn(list: readonly unknown[]): ParameterDeclaration[] {
  return list.filter(isDeclaration);
}

function isDeclaration(value: unknown): value is ParameterDeclaration {
  return (
    typeof value === 'object' &&
    value !== null &&
    'name' in value &&
    typeof value.name === 'string' &&
    'kind' in value &&
    typeof value.kind === 'string' &&
    (!('label' in value) || typeof value.label === 'string') &&
    (!('required' in value) || typeof value.required === 'boolean') &&
    (!('options' in value) || Array.isArray(value.options))
  );
}
