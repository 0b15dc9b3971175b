/** How emails are compared (spec G22). */

/** A domain in lower case and in ASCII; null if the text is not a domain, or is an IP address. */
export function domainOf(text: string): string | null {
  if (!/^[\p{L}\p{M}\p{N}-]+(\.[\p{L}\p{M}\p{N}-]+)+$/u.test(text) || !URL.canParse(`http://${text}/`)) return null;
  const { hostname } = new URL(`http://${text}/`);
  return /\.[0-9]+$/.test(hostname) ? null : hostname;
}

/**
 * What equal emails have in common: the local part without case, in which ß is not ss and ı is not i, and the domain in its ASCII form.
 * Letters of ASCII are capitals, so of an email in ASCII it is the folded email, as stores have always had it. Of none it is ''.
 */
export function emailKey(email: string): string {
  const trimmed = email.trim().normalize('NFC');
  const at = trimmed.lastIndexOf('@') + 1;
  const domain = trimmed.slice(at);
  const ascii = isAscii(domain) ? domain : (domainOf(domain) ?? domain);
  return (withoutCase(trimmed.slice(0, at)) + withoutCase(ascii)).normalize('NFC');
}

/** Letter by letter: the small form of Σ depends on its neighbours, and the capital of ß or ı is that of other letters. */
function withoutCase(text: string): string {
  const small = Array.from(text, (letter) => letter.toLowerCase()).join('');
  return small.replaceAll('ς', 'σ').replaceAll(/[a-z]/g, (letter) => letter.toUpperCase());
}

function isAscii(text: string): boolean {
  return !/[^\0-\x7f]/.test(text);
}
