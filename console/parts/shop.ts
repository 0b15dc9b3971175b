import { queryOptions } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import type { ResponseOf } from '../../contract/endpoint.ts';
import type { Endpoints } from '../../contract/index.ts';
import { api } from '../api/client.ts';

export type Me = ResponseOf<Endpoints['me.get']>;

/** Asked before anything is shown: every page waits for it. */
export const meQuery = queryOptions({ queryKey: ['me.get'], queryFn: () => api.me.get(), staleTime: 60_000 });

const MeContext = createContext<Me | null>(null);
export const MeProvider = MeContext.Provider;

/** Who is signed in, and the shop that is shown. */
export function useMe(): Me {
  const me = useContext(MeContext);
  if (me === null) throw new Error('nobody is signed in here');
  return me;
}

export function useShop(): Me['shop'] {
  return useMe().shop;
}

/** Whether the token that is signed in with counts as an owner's: only owners hold this permission. */
export function useActsAsOwner(): boolean {
  return useMay()('admin_api.admins.write');
}

/** Whether the token that is signed in with may do it; what it may not is not shown. Write implies read. */
export function useMay(): (permission: string) => boolean {
  const { effective_permissions: held } = useMe();
  return (permission) => held.includes(permission) || (permission.endsWith('.read') && held.includes(permission.replace(/read$/, 'write')));
}
