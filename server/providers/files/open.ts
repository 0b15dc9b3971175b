import { diskFiles } from './disk.ts';
import type { FileStore } from './file-store.ts';
import type { S3Settings } from './s3.ts';

/** Opens the file store that the environment configures; S3's client is loaded only if it is used. */
export async function openFiles(config: { filesDir: string; filesS3: S3Settings | null }, prefix: string): Promise<FileStore> {
  if (config.filesS3 === null) return diskFiles(config.filesDir, prefix);
  const { s3Files } = await import('./s3.ts');
  return s3Files(config.filesS3, prefix);
}
