import { attachment } from '../http/file-answer.ts';
import type { PublicPages } from '../http/handlers.ts';
import type { Services } from '../services.ts';
import { openDownload } from './downloads/domain.ts';
import { openMedia } from './media/domain.ts';
import { openLabel } from './shipments/label.ts';

/** A key is of one content for ever. */
const IMMUTABLE = 'public, max-age=31536000, immutable';

/** `/media/<key>`, `/downloads/<token>` and `/labels/<key>.pdf`: their names are their keys. */
export function publicPages(services: Services): PublicPages {
  const { store, files } = services;
  return {
    media: async ({ name, ifNoneMatch }) => {
      const { contentType, content } = await openMedia(store, files, name);
      const headers = { 'Cache-Control': IMMUTABLE, ETag: `"${name}"`, 'Content-Security-Policy': "default-src 'none'" };
      if (ifNoneMatch?.includes(headers.ETag)) {
        await content.close();
        return { status: 304, headers, body: null };
      }
      return { status: 200, headers: { ...headers, 'Content-Type': contentType }, content };
    },
    downloads: async ({ method, name }) => {
      const { filename, contentType, content } = await openDownload(store, files, name, method === 'GET');
      return attachment(content, filename, contentType);
    },
    labels: async ({ name }) => {
      const content = await openLabel(services, name);
      return { status: 200, headers: { 'Content-Type': 'application/pdf', 'Content-Disposition': 'inline' }, content };
    },
  };
}
