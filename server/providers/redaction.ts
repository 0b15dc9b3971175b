type Secrets = readonly (string | null | undefined)[];

/** Makes a message from somebody outside safe to show: one line, without the secrets that it was sent, in clear or in their base64 form. */
export function redact(text: string, secrets: Secrets, maxLength = 300): string {
  let safe = text;
  for (const form of secrets.flatMap(formsOf).sort((a, b) => b.length - a.length)) safe = safe.replaceAll(form, '***');
  // The text is cut after the secrets are hidden; a secret cut in two would not be recognised.
  return safe.replaceAll(/\s+/g, ' ').slice(0, maxLength);
}

/** The cause of an error for the log, which would otherwise show everything attached to it. */
export function redactCause(error: unknown, secrets: Secrets): Error {
  return new Error(redact(error instanceof Error ? `${error.name}: ${error.message}` : String(error), secrets));
}

function formsOf(secret: Secrets[number]): string[] {
  if (secret == null || secret === '') return [];
  const inBase64 = [secret, `${secret}:`].map((text) => Buffer.from(text).toString('base64').replace(/=+$/, ''));
  return [secret, encodeURIComponent(secret), ...inBase64];
}
