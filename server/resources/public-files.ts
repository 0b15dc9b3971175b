import type { Services } from '../services.ts';
import { attachment, type FileAnswer } from '../verbs/file-answer.ts';
import { openDownload } from './downloads/domain.ts';
import { openMedia } from './media/domain.ts';
import { openLabel } from './shipments/label.ts';

/** The content behind a key never changes. */
const IMMUTABLE = 'public, max-age=31536000, immutable';

type Asked = { name: string /** Whether the content is fetched, and not its headers alone. */; isTaken: boolean };

/** Files that need no token: `/media/<key>`, `/downloads/<token>` and `/labels/<key>.pdf`. Whoever knows the name may fetch them. */
export const publicFiles: Readonly<Record<string, (services: Services, asked: Asked) => Promise<FileAnswer>>> = {
  media: async ({ store, files }, { name }) => {
    const { contentType, content } = await openMedia(store, files, name);
    const headers = { 'Cache-Control': IMMUTABLE, ETag: `"${name}"`, 'Content-Security-Policy': "default-src 'none'" };
    return { status: 200, headers: { ...headers, 'Content-Type': contentType }, content };
  },
  downloads: async ({ store, files }, { name, isTaken }) => {
    const { filename, contentType, content } = await openDownload(store, files, name, isTaken);
    return attachment(content, filename, contentType);
  },
  labels: async (services, { name }) => {
    const content = await openLabel(services, name);
    return { status: 200, headers: { 'Content-Type': 'application/pdf', 'Content-Disposition': 'inline' }, content };
  },
};
