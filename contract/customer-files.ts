import { endpointsOf } from './endpoint.ts';

export const customerFilesEndpoints = endpointsOf(
  /** Customers' files have no address of their own: this is the only way to their bytes (spec CU6). */
  {
    id: 'customers.get_file_content',
    method: 'GET',
    path: '/customers/{id}/files/{file_id}/content',
    summary: 'Download the content of a file of a customer',
    permission: 'admin_api.customers.read',
    taskPermission: null,
    record: 'customer_file',
    binary: true,
  },
);
