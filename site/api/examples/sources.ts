/** The sources of the tasks in the examples. */

export const CATALOGUE_NOTES = `import { admin, checkpoint, files, log } from 'backroom';

export default async function () {
  const { data } = await admin.customers.list({ per_page: 2 });
  for (const { id } of data) await admin.customers.create_note(id, { body: 'Got the winter catalogue' });
  await checkpoint({ noted: data.length });
  await files.write('noted.csv', data.map(({ id }) => id).join('\\n'), 'text/csv');
  log(\`noted \${data.length} customers\`);
  return { noted: data.length };
}
`;

export const CATALOGUE_TASK: { source_code: string; permissions: string[]; parameters: [] } = {
  source_code: CATALOGUE_NOTES,
  permissions: ['admin_api.customers.write', 'file_download'],
  parameters: [],
};
