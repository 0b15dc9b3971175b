/** A secret that was copied from a file or a terminal often brings the end of its line along, which is no part of it. */
export function withoutLineEnd(typed: string): string {
  return typed.replace(/\r?\n$/, '');
}
