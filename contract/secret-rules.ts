/** How scripts name secrets and variables, for the server and the guest code. This file imports nothing, so that the guest code can use it. */

/** The name of a secret or of a variable. */
export const SECRET_NAME = /^[a-z][a-z0-9_]{0,63}$/;
export const SECRET_NAME_RULE = 'must begin with a lower-case letter, followed by lower-case letters, digits and _; at most 64 characters';

/** What a script writes in place of a secret; the server fills it in when it sends the request. */
export function placeholderOf(name: string): string {
  return `{{secret:${name}}}`;
}
