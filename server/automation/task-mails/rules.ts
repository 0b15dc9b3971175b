import { domainOf, emailKey } from '../../../contract/emails.ts';
import { UNSUBSCRIBE_PLACE } from '../../../contract/mails.ts';

/** Whom the shop knows by an address. */
type Known = { isCustomer: boolean; isAdmin: boolean };

/** Whether one entry of `mail_to` covers the address. */
export function isCovered(mailTo: readonly string[], address: string, { isCustomer, isAdmin }: Known): boolean {
  const at = address.lastIndexOf('@');
  const domain = domainOf(address.slice(at + 1));
  return mailTo.some((entry) => {
    if (entry === 'customers') return isCustomer;
    if (entry === 'admins') return isAdmin;
    const [grantedLocal = '', grantedDomain = ''] = entry.split('@');
    return domain === grantedDomain && (grantedLocal === '' || emailKey(entry) === emailKey(address));
  });
}

/** The list of a version in words, for the refusal of an address that is not in it. */
export function inWords(mailTo: readonly string[]): string {
  return mailTo.length === 0 ? 'nobody, as its mail_to is empty' : mailTo.join(', ');
}

type Parts = { text: string; html: string | null };
type Link = { url: string; words: string };

/** Puts the recipient's link where the mail has a place for it, or at the end. */
export function withLink({ text, html }: Parts, { url, words }: Link): Parts {
  return {
    text: text.includes(UNSUBSCRIBE_PLACE) ? text.replaceAll(UNSUBSCRIBE_PLACE, () => url) : `${text.trimEnd()}\n\n${words}\n${url}\n`,
    html: html === null ? null : htmlWithLink(html, { url, words }),
  };
}

function htmlWithLink(html: string, { url, words }: Link): string {
  if (html.includes(UNSUBSCRIBE_PLACE)) return html.replaceAll(UNSUBSCRIBE_PLACE, () => url);
  const line = `<p>${words} <a href="${url}">${url}</a></p>\n`;
  const end = html.toLowerCase().lastIndexOf('</body>');
  return end === -1 ? `${html}\n${line}` : html.slice(0, end) + line + html.slice(end);
}

/** Longer texts are cut where the effects of a run show them. */
const SHOWN_MAX = 20_000;

export function cut(text: string | null): string | null {
  return text === null || text.length <= SHOWN_MAX ? text : `${text.slice(0, SHOWN_MAX).toWellFormed()}…`;
}
