import { api } from './client.ts';

/** Lets the browser save the content of a file (`path` is relative to `/admin/api`), by a link that works once and needs no token. */
export async function download(path: string, name: string): Promise<void> {
  const { url } = await api.me.create_download_link({ path });
  if (url !== null) save(url, name);
}

/** Saves a text that the page itself has made. */
export function saveText(text: string, name: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  save(address, name);
  URL.revokeObjectURL(address);
}

function save(address: string, name: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
}
