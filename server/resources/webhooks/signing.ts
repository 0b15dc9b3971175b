import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';

/** A secret of 256 bits (Standard Webhooks asks for 24 to 64 bytes). */
export function newSecret(): string {
  return PREFIX + randomBytes(32).toString('base64');
}

/** The signature header: `v1,<base64>` for each secret, separated by spaces (Standard Webhooks 1.0, Signature scheme). */
export function signatureOf(secrets: readonly string[], message: { id: string; timestamp: number; body: string }): string {
  const signed = `${message.id}.${message.timestamp}.${message.body}`;
  return secrets
    .map((secret) => Buffer.from(secret.slice(PREFIX.length), 'base64'))
    .map((key) => `v1,${createHmac('sha256', key).update(signed).digest('base64')}`)
    .join(' ');
}
