const MAX_NAME = 255;
const CONTENT_TYPE = /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}(;[\x20-\x7e]*)?$/;

/** The name of an uploaded file without folders and control characters; `file` if nothing is left (spec CU5). */
export function cleanFilename(sent: string | null): string {
  const base = (sent ?? '').toWellFormed().split(/[/\\]/).at(-1) ?? '';
  const name = base.replaceAll(/\p{Cc}/gu, '').trim();
  return name === '' || name === '.' || name === '..' ? 'file' : shortened(name);
}

/** The content type that a form part names, if it is well formed; else the general `application/octet-stream`. */
export function cleanContentType(sent: string | null): string {
  const type = (sent ?? '').trim();
  return type.length <= MAX_NAME && CONTENT_TYPE.test(type) ? type : 'application/octet-stream';
}

/** Shortens a name to MAX_NAME characters and keeps its extension. */
function shortened(name: string): string {
  const letters = [...name];
  if (letters.length <= MAX_NAME) return name;
  const ending = /\.[^.]{1,20}$/u.exec(name)?.[0] ?? '';
  return letters.slice(0, MAX_NAME - [...ending].length).join('') + ending;
}

type Caps = { file_max_bytes: number; storage_total_bytes: number };
export type Excess = { scope: 'per_file' | 'aggregate'; limit_bytes: number; used_bytes: number };

/** The cap that a file of this size would exceed, or null. A file that reaches a cap exactly is accepted (spec CU4). */
export function excessOf(sizeBytes: number, usedBytes: number, counts: boolean, caps: Caps): Excess | null {
  if (sizeBytes > caps.file_max_bytes) return { scope: 'per_file', limit_bytes: caps.file_max_bytes, used_bytes: usedBytes };
  if (!counts || usedBytes + sizeBytes <= caps.storage_total_bytes) return null;
  return { scope: 'aggregate', limit_bytes: caps.storage_total_bytes, used_bytes: usedBytes };
}

const NEARLY_FULL = 0.9;

/** Whether a change raises the use above nine tenths of the cap; the admins are notified only then. */
export function crossesNearlyFull(before: number, after: number, capBytes: number): boolean {
  return before <= capBytes * NEARLY_FULL && after > capBytes * NEARLY_FULL;
}
