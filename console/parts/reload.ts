import { type Query, useQueryClient } from '@tanstack/react-query';

/** Reads again what is shown of these resources: `reload('customers', 'access_groups')`. */
export function useReload(): (...resources: readonly string[]) => Promise<void> {
  const queries = useQueryClient();
  return (...resources) => queries.invalidateQueries({ predicate: (query) => resources.includes(resourceOf(query)) });
}

/** The resource of the API that a query reads: the first part of its operation's name. */
export function resourceOf({ queryKey: [operation] }: Query): string {
  return String(operation).split('.')[0] ?? '';
}
