import type { ParameterDeclaration } from '../../contract/tasks.ts';

/** The parameters that a version declares; it stores them as JSON text, which the server has checked. */
export function declarationsOf({ parameters }: { parameters: string }): ParameterDeclaration[] {
  const list: unknown = JSON.parse(parameters);
  return Array.isArray(list) ? list.filter(isDeclaration) : [];
}

function isDeclaration(value: unknown): value is ParameterDeclaration {
  return (
    typeof value === 'object' &&
    value !== null &&
    'name' in value &&
    typeof value.name === 'string' &&
    'kind' in value &&
    typeof value.kind === 'string'
  );
}
