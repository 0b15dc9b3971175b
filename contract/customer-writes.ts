import { z } from 'zod';
import { CustomerAddress, CustomerDetail } from './customers.ts';
import { endpointsOf } from './endpoint.ts';
import { Country, EmailAddress } from './people.ts';
import { Name, text } from './values.ts';

/** Writes on customers (spec CU9-CU13). */

const Phone = text({ trim: true }).nullable();

const write = 'admin_api.customers.write';

const addressFields = {
  address_type: z.enum(['shipping', 'billing']),
  label: text({ trim: true }),
  line1: text({ min: 1, trim: true }),
  line2: text({ trim: true }).nullable(),
  city: text({ min: 1, trim: true }),
  state: text({ trim: true }),
  postal_code: text({ trim: true }),
  country: Country,
  is_default: z.boolean(),
};

export const customerWritesEndpoints = endpointsOf(
  {
    id: 'customers.create',
    method: 'POST',
    path: '/customers',
    undo: 'restore',
    summary: 'Add a customer',
    permission: write,
    body: z.object({ name: Name, email: EmailAddress, phone: Phone.default(null), registered: z.boolean().default(false) }),
    status: 201,
    response: CustomerDetail,
    location: '/customers/{id}',
    refusals: ['duplicate'],
  },
  {
    id: 'customers.update',
    method: 'PATCH',
    path: '/customers/{id}',
    undo: 'restore',
    summary: 'Change a customer; existing orders keep the customer data that they were placed with',
    permission: write,
    record: 'customer',
    body: z.object({
      name: Name.optional(),
      email: EmailAddress.optional(),
      phone: Phone.optional(),
      registered: z.boolean().optional(),
      marketing_opt_out: z.boolean().optional(),
    }),
    response: CustomerDetail,
    refusals: ['duplicate'],
  },
  {
    id: 'customers.delete',
    method: 'DELETE',
    path: '/customers/{id}',
    undo: { irreversible: 'A person who was forgotten cannot come back. Create the customer again with what the person tells you.' },
    summary: 'Delete a customer; if orders, subscriptions or inquiries refer to the record, it is kept without personal data',
    permission: write,
    record: 'customer',
    status: 204,
  },
  {
    id: 'customers.list_addresses',
    method: 'GET',
    path: '/customers/{id}/addresses',
    summary: 'List the addresses of a customer, default addresses first',
    permission: 'admin_api.customers.read',
    record: 'customer',
    response: z.array(CustomerAddress),
  },
  {
    id: 'customers.create_address',
    method: 'POST',
    path: '/customers/{id}/addresses',
    undo: 'restore',
    summary: 'Add an address; a new default address replaces the previous default of its type',
    permission: write,
    record: 'customer',
    body: z.object({
      ...addressFields,
      address_type: addressFields.address_type.default('shipping'),
      label: addressFields.label.default(''),
      line2: addressFields.line2.default(null),
      state: addressFields.state.default(''),
      is_default: addressFields.is_default.default(false),
    }),
    status: 201,
    response: CustomerAddress,
  },
  {
    id: 'customers.update_address',
    method: 'PATCH',
    path: '/customers/{id}/addresses/{address_id}',
    undo: 'restore',
    summary: 'Change an address',
    permission: write,
    record: 'customer_address',
    body: z.object(addressFields).partial(),
    response: CustomerAddress,
  },
  {
    id: 'customers.delete_address',
    method: 'DELETE',
    path: '/customers/{id}/addresses/{address_id}',
    undo: 'restore',
    summary: 'Delete an address',
    permission: write,
    record: 'customer_address',
    status: 204,
  },
);
