import { hmac } from '@noble/hashes/hmac';
import { sha1 } from '@noble/hashes/legacy';
import { sha256, sha384, sha512 } from '@noble/hashes/sha2';
import { DOMException } from './dom-exception.ts';

const HASHES = { 'SHA-1': sha1, 'SHA-256': sha256, 'SHA-384': sha384, 'SHA-512': sha512 };
type HashName = keyof typeof HASHES;
const HASH_NAMES = Object.keys(HASHES).join(', ');
const USES: readonly unknown[] = ['sign', 'verify'];

let bytesOf: (key: CryptoKey) => Uint8Array;

/** A key for HMAC; `crypto.subtle.importKey` makes one. The script can read its bytes nowhere. */
export class CryptoKey {
  readonly type = 'secret';
  readonly extractable: boolean;
  readonly algorithm: { readonly name: 'HMAC'; readonly hash: { readonly name: string }; readonly length: number };
  readonly usages: readonly string[];
  readonly #bytes: Uint8Array;

  constructor(proof: unknown, bytes: Uint8Array, hash: HashName, extractable: boolean, usages: readonly string[]) {
    if (proof !== USES) throw new TypeError('Illegal constructor');
    this.#bytes = bytes;
    this.extractable = extractable;
    this.algorithm = Object.freeze({ name: 'HMAC', hash: Object.freeze({ name: hash }), length: bytes.length * 8 });
    this.usages = Object.freeze([...usages]);
    Object.freeze(this);
  }

  static {
    bytesOf = (key) => {
      if (!(#bytes in key)) throw new TypeError('the key must be a CryptoKey');
      return key.#bytes;
    };
  }
}

/**
 * `crypto.subtle` of the Web Cryptography API: digests, and HMAC with a key from outside. It has no random part, so a script that is resumed
 * or replayed gets the same again.
 */
export const subtle = Object.freeze({
  async digest(algorithm: unknown, data: unknown): Promise<ArrayBuffer> {
    return bufferOf(HASHES[hashIn(algorithm)](bytesIn(data, 'the data')));
  },

  async importKey(format: unknown, given: unknown, algorithm: unknown, extractable: unknown, usages: unknown): Promise<CryptoKey> {
    requireHmac(algorithm);
    const hash = hashIn(fieldOf(algorithm, 'hash'));
    const uses = usesIn(usages);
    const bytes = format === 'jwk' ? bytesOfJwk(given) : format === 'raw' ? bytesIn(given, 'the key').slice() : null;
    if (!bytes) throw refusal('NotSupportedError', 'a key is imported as raw or jwk');
    if (bytes.length === 0) throw refusal('DataError', 'the key has no bytes');
    const length = fieldOf(algorithm, 'length');
    if (length !== undefined && length !== bytes.length * 8) throw refusal('DataError', `the key has ${bytes.length * 8} bits`);
    return new CryptoKey(USES, bytes, hash, Boolean(extractable), uses);
  },

  async sign(algorithm: unknown, key: unknown, data: unknown): Promise<ArrayBuffer> {
    return bufferOf(signatureOf(algorithm, key, data, 'sign'));
  },

  async verify(algorithm: unknown, key: unknown, signature: unknown, data: unknown): Promise<boolean> {
    const given = bytesIn(signature, 'the signature');
    const right = signatureOf(algorithm, key, data, 'verify');
    return given.length === right.length && right.every((byte, i) => byte === given[i]);
  },
});

function signatureOf(algorithm: unknown, key: unknown, data: unknown, use: string): Uint8Array {
  requireHmac(algorithm);
  if (!(key instanceof CryptoKey)) throw new TypeError('the key must be a CryptoKey');
  const secret = bytesOf(key);
  if (!key.usages.includes(use)) throw refusal('InvalidAccessError', `the key was not imported to ${use}`);
  return hmac(HASHES[hashIn(key.algorithm.hash)], secret, bytesIn(data, 'the data'));
}

function requireHmac(algorithm: unknown): void {
  if (nameIn(algorithm).toUpperCase() !== 'HMAC') throw refusal('NotSupportedError', 'of the keys there is HMAC alone');
}

function hashIn(algorithm: unknown): HashName {
  const name = nameIn(algorithm).toUpperCase();
  if (Object.hasOwn(HASHES, name)) return name as HashName;
  throw refusal('NotSupportedError', `a hash is one of ${HASH_NAMES}`);
}

function nameIn(algorithm: unknown): string {
  return String(typeof algorithm === 'object' && algorithm !== null ? Reflect.get(algorithm, 'name') : algorithm);
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function usesIn(usages: unknown): string[] {
  const list = Array.isArray(usages) ? [...new Set<unknown>(usages)] : [];
  const known = list.filter((use): use is string => USES.includes(use));
  if (known.length === 0 || known.length < list.length) throw refusal('SyntaxError', 'the usages are a list of sign and verify');
  return known;
}

function bytesOfJwk(jwk: unknown): Uint8Array {
  const k = fieldOf(jwk, 'k');
  if (fieldOf(jwk, 'kty') !== 'oct' || typeof k !== 'string') throw refusal('DataError', 'the key must be a JWK of kty oct with k');
  try {
    return Uint8Array.fromBase64(k, { alphabet: 'base64url' });
  } catch {
    throw refusal('DataError', 'the k of the key is no base64url');
  }
}

/** The bytes of a buffer or view themselves: nothing of the script runs before they are read. */
function bytesIn(data: unknown, what: string): Uint8Array {
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  throw new TypeError(
    `${what} must be bytes: an ArrayBuffer or a view such as Uint8Array; \`new TextEncoder().encode(text)\` gives those of a text`,
  );
}

function bufferOf(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}

function refusal(name: string, message: string): DOMException {
  return new DOMException(message, name);
}
