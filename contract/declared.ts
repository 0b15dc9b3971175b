/** What a version declares, as one list of texts. This file imports nothing, so that every part can use it. */

/** What a version may do: its permissions, and its grants, which say where and with whom. */
export type Declared = {
  permissions: readonly string[];
  mail_to: readonly string[];
  http_allow: readonly string[];
  secrets: readonly string[];
  may_start: readonly number[];
};

/** The permissions and, after them, each grant in its canonical text, such as `mail_to:customers`. */
export function declaredOf({ permissions, mail_to, http_allow, secrets, may_start }: Declared): string[] {
  return [
    ...permissions,
    ...mail_to.map((one) => `mail_to:${one}`),
    ...http_allow.map((one) => `http_allow:${one}`),
    ...secrets.map((one) => `secret:${one}`),
    ...may_start.map((one) => `may_start:${one}`),
  ];
}

/** Whether a text of that list is a grant; permissions have no colon. */
export function isGrant(text: string): boolean {
  return text.includes(':');
}
