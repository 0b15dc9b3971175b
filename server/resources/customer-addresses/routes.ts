import type { Handlers } from '../../http/handlers.ts';
import { listAddresses } from '../customers/domain.ts';
import * as addresses from './domain.ts';

export const customerAddressesRoutes: Handlers = {
  'customers.list_addresses': (ctx, { params }) => listAddresses(ctx, params.id),
  'customers.create_address': (ctx, { params, body }) => addresses.createAddress(ctx, params.id, body),
  'customers.update_address': (ctx, { params, body }) => addresses.updateAddress(ctx, params.id, params.address_id, body),
  'customers.delete_address': (ctx, { params }) => addresses.deleteAddress(ctx, params.id, params.address_id),
};
