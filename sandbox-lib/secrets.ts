import { placeholderOf, SECRET_NAME, SECRET_NAME_RULE } from '../contract/secret-rules.ts';
import type { Request } from './admin-api.ts';
import { AdminApiError } from './errors.ts';

/** Makes `secret`, which gives a placeholder: the value never enters the sandbox. */
export function createSecret(mark: () => string): (name: unknown) => string {
  return (name) => placeholderOf(checked('a secret', name), mark());
}

/** Makes `variables`, whose calls are ordinary requests about the run's own task. */
export function createVariables(request: Request, taskId: () => number): object {
  return Object.freeze({
    async get(name: unknown) {
      try {
        const { body } = await request('GET', `/ai-tasks/${taskId()}/variables/${checked('a variable', name)}`, undefined);
        return typeof body === 'object' && body !== null ? Reflect.get(body, 'value') : null;
      } catch (error) {
        if (error instanceof AdminApiError && error.status === 404) return null;
        throw error;
      }
    },
  });
}

function checked(what: string, name: unknown): string {
  if (typeof name === 'string' && SECRET_NAME.test(name)) return name;
  throw new TypeError(`the name of ${what} ${SECRET_NAME_RULE}`);
}
