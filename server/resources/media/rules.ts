import { imageSize } from 'image-size';
import type { ImageType } from '../../../contract/media.ts';

/** How many bytes of an image are searched for its size: photographs may have previews before it. */
export const IMAGE_HEAD_BYTES = 512 * 1024;

export type ImageFacts = { contentType: ImageType; width: number; height: number };

/** The type and size of an image, by its content alone; null if it is not an image that browsers show safely. */
export function imageFacts(head: Uint8Array): ImageFacts | null {
  const contentType = imageTypeOf(head);
  if (contentType === null) return null;
  try {
    // A copy, because for a short file the library would read on into the larger memory that the buffer is a part of.
    const { width, height, orientation = 1 } = imageSize(Uint8Array.from(head));
    if (width <= 0 || height <= 0) return null;
    // With an orientation of 5 or more browsers turn the picture by 90 degrees.
    return orientation < 5 ? { contentType, width, height } : { contentType, width: height, height: width };
  } catch {
    return null;
  }
}

function imageTypeOf(head: Uint8Array): ImageType | null {
  const at = (from: number, to: number): string => String.fromCharCode(...head.subarray(from, to));
  if (at(0, 8) === '\x89PNG\r\n\x1a\n') return 'image/png';
  if (at(0, 3) === '\xff\xd8\xff') return 'image/jpeg';
  if (at(0, 6) === 'GIF87a' || at(0, 6) === 'GIF89a') return 'image/gif';
  if (at(0, 4) === 'RIFF' && at(8, 12) === 'WEBP') return 'image/webp';
  // An ISO media file names its type as its major brand, or among its compatible brands.
  if (at(4, 8) === 'ftyp' && /^(.{4})*(avif|avis)/s.test(at(8, 12) + at(16, 64))) return 'image/avif';
  return null;
}
