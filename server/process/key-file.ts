import { createHash, randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, statSync, unlinkSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** A key of AES-256 with the name under which rows remember it. */
export type SecretsKey = { id: string; bytes: Buffer };

const KEY_BYTES = 32;
export const KEY_RULE = 'expected 32 bytes as 64 hex digits or as base64 (openssl rand -base64 32)';

/** Parses a key; null if the text is not one. The key cannot be computed from its id. */
export function parseKey(text: string): SecretsKey | null {
  const trimmed = text.trim();
  const bytes = /^[0-9a-fA-F]{64}$/.test(trimmed) ? Buffer.from(trimmed, 'hex') : fromBase64(trimmed);
  if (bytes?.length !== KEY_BYTES) return null;
  return { id: createHash('sha256').update('secrets key ').update(bytes).digest('hex').slice(0, 16), bytes };
}

function fromBase64(text: string): Buffer | null {
  return /^[A-Za-z0-9+/_-]{43}=?$/.test(text) ? Buffer.from(text, 'base64') : null;
}

/** Reads a key file, which only its owner may read; undefined: there is none. */
export function readKeyFile(file: string): SecretsKey | undefined {
  let text: string;
  try {
    if ((statSync(file).mode & 0o077) !== 0) throw new Error(`${file} can be read by others: chmod 600 it`);
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  const key = parseKey(text);
  if (key === null) throw new Error(`${file} is no key: ${KEY_RULE}`);
  return key;
}

/** Reads the key file; makes it if there is none. Of two processes that make it at the same time, both get the same key. */
export function keyOfFile(file: string): SecretsKey {
  const known = readKeyFile(file);
  if (known) return known;
  mkdirSync(dirname(file), { recursive: true });
  const made = newKeyFile(file);
  try {
    // A link never replaces a file that is there already.
    linkSync(made, file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    unlinkSync(made);
  }
  return readKeyFile(file) ?? keyOfFile(file);
}

/** Writes a new key beside `file`, whole and on the disk, and returns the path. */
export function newKeyFile(file: string): string {
  const path = `${file}.${process.pid}-${randomBytes(4).toString('hex')}`;
  const descriptor = openSync(path, 'wx', 0o600);
  try {
    writeSync(descriptor, `${randomBytes(KEY_BYTES).toString('base64')}\n`);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  return path;
}
