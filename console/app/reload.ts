import { useQueryClient } from '@tanstack/react-query';

/** Reads again what is shown of these resources: `reload('customers', 'access_groups')`. */
export function useReload(): (...resources: readonly string[]) => Promise<void> {
  const queries = useQueryClient();
  return (...resources) =>
    queries.invalidateQueries({ predicate: ({ queryKey: [operation] }) => resources.includes(String(operation).split('.')[0] ?? '') });
}
