import { type Routes, read, write } from '../../verbs/route.ts';
import { listAddresses } from '../customers/domain.ts';
import * as addresses from './domain.ts';

export const customerAddressesRoutes = {
  'customers.list_addresses': read((ctx, { params }) => listAddresses(ctx, params.id)),
  'customers.create_address': write((ctx, { params, body }) => addresses.createAddress(ctx, params.id, body)),
  'customers.update_address': write((ctx, { params, body }) => addresses.updateAddress(ctx, params.id, params.address_id, body)),
  'customers.delete_address': write((ctx, { params }) => addresses.deleteAddress(ctx, params.id, params.address_id)),
} satisfies Partial<Routes>;
