import { endpointsOf } from './endpoint.ts';

export const customerFilesEndpoints = endpointsOf(
  /** Beside what the document has of a customer's files (decisions.md CU6). */
  {
    id: 'customers.get_file_content',
    method: 'GET',
    path: '/customers/{id}/files/{file_id}/content',
    summary: 'What is in a file of a customer',
    permission: 'admin_api.customers.read',
    taskPermission: null,
    record: 'customer_file',
    status: 200,
    binary: true,
    added: true,
  },
);
