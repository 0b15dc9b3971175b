import { endpointsOf } from './endpoint.ts';

export const customerFilesEndpoints = endpointsOf(
  /** This endpoint is not in the API document, which has the other operations on a customer's files (decisions.md CU6). */
  {
    id: 'customers.get_file_content',
    method: 'GET',
    path: '/customers/{id}/files/{file_id}/content',
    summary: 'Download the content of a file of a customer',
    permission: 'admin_api.customers.read',
    taskPermission: null,
    record: 'customer_file',
    status: 200,
    binary: true,
    added: true,
  },
);
