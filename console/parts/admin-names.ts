import { queryOptions, useQuery } from '@tanstack/react-query';
import { api } from '../api/client.ts';

const MINUTE_MS = 60_000;

export const adminNames = queryOptions({ queryKey: ['admins.names'], queryFn: () => api.admins.names(), staleTime: MINUTE_MS });

/** The name of an admin by id; until the names are there, and of one who was deleted, undefined. */
export function useAdminName(): (id: number | null | undefined) => string | undefined {
  const { data } = useQuery(adminNames);
  return (id) => data?.find((admin) => admin.id === id)?.name;
}

/** Whether an admin is known to be deactivated. */
export function useIsDeactivated(): (id: number) => boolean {
  const { data } = useQuery(adminNames);
  return (id) => data?.some((admin) => admin.id === id && !admin.active) ?? false;
}

/** Who did something, as entries name it: `admin:3` is shown by name, all else as it is. */
export function useActorName(): (actor: string) => string {
  const nameOf = useAdminName();
  return (actor) => nameOf(Number(/^admin:(\d+)$/.exec(actor)?.[1])) ?? actor;
}
