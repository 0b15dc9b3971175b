/** After this many attempts a mail is given up; with the delays below that takes about 19 hours. */
export const MAX_ATTEMPTS = 15;

const FIRST_DELAY_MS = 30_000;
const LONGEST_DELAY_MS = 3 * 3_600_000;

/**
 * The delay after so many attempts: it doubles, and varies by ± 20 % so that many mails do not come back at once. `random` is
 * from 0 to 1.
 */
export function retryDelayMs(attempts: number, random: number): number {
  const delay = Math.min(FIRST_DELAY_MS * 2 ** (attempts - 1), LONGEST_DELAY_MS);
  return Math.round(delay * (0.8 + 0.4 * random));
}

const FIRST_PAUSE_MS = 5000;
const LONGEST_PAUSE_MS = 60_000;

/** How long a sender leaves an SMTP server alone after so many failures in a row. */
export function pauseMs(failures: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS);
}

const OF_OTHERS = '/of-others';

/** `isOwn`: the mail is about what its receiver wrote. One about what others wrote is only for who has chosen such mails. */
export function foldKeyOf(key: string, { isOwn }: { isOwn: boolean }): string {
  return isOwn ? key : `${key}${OF_OTHERS}`;
}

export function isAboutOwn(foldKey: string): boolean {
  return !foldKey.endsWith(OF_OTHERS);
}

const WITH_CODES: ReadonlySet<string> = new Set(['admin_invitation', 'sign_in_link']);

/** Whether a mail has a code in it by which somebody signs in: its text is not kept once it is sent. */
export function hasCode(template: string): boolean {
  return WITH_CODES.has(template);
}
