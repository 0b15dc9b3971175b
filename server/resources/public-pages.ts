import { attachment } from '../http/file-answer.ts';
import type { PublicPages } from '../http/handlers.ts';
import type { Services } from '../services.ts';
import { openDownload } from './downloads/domain.ts';
import { openMedia } from './media/domain.ts';

/** A key is of one content for ever. */
const IMMUTABLE = 'public, max-age=31536000, immutable';

/** `/media/<key>` and `/downloads/<token>`: their names are their keys. */
export function publicPages({ store, files }: Services): PublicPages {
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
  };
}
