type Secrets = readonly (string | null | undefined)[];

/**
 * What somebody outside said, on one line, without the secrets that it was told, which it may say again: in clear, or in
 * the base64 in which they travel.
 */
export function shown(text: string, secrets: Secrets, maxLength = 300): string {
  let safe = text;
  for (const form of secrets.flatMap(formsOf).sort((a, b) => b.length - a.length)) safe = safe.replaceAll(form, '***');
  // Not before: of a secret that was cut in two a part would stay.
  return safe.replaceAll(/\s+/g, ' ').slice(0, maxLength);
}

/** For the log, which shows causes with all that hangs on them. */
export function shownCause(error: unknown, secrets: Secrets): Error {
  return new Error(shown(error instanceof Error ? `${error.name}: ${error.message}` : String(error), secrets));
}

function formsOf(secret: Secrets[number]): string[] {
  if (secret == null || secret === '') return [];
  const inBase64 = [secret, `${secret}:`].map((text) => Buffer.from(text).toString('base64').replace(/=+$/, ''));
  return [secret, encodeURIComponent(secret), ...inBase64];
}
