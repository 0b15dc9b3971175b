import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { PasskeyAssertion, PasskeyRegistration } from '../../contract/webauthn.ts';

/** What an authenticator and the browser before it can be made to say wrong. */
export type Lie = {
  /** Where the browser says it is; default: where the authenticator was made for. */
  origin?: string;
  /** The host name that the authenticator signs. */
  rpId?: string;
  challenge?: string;
  userVerified?: boolean;
  /** The count that it tells; default: one more than before. */
  counter?: number;
  userHandle?: string;
};

type Creation = { challenge: string; rp: { id: string }; user: { id: string } };
type Request = { challenge: string; rpId: string };

const UP = 0x01;
const UV = 0x04;
const AT = 0x40;

/** A passkey in software: ES256, no attestation, one credential, at one origin. `counts`: false: it always tells 0, as synced passkeys do. */
export class SoftwareAuthenticator {
  readonly #origin: string;
  readonly #counts: boolean;
  readonly #keys: { id: Buffer; publicKey: KeyObject; privateKey: KeyObject };
  #counter = 0;
  #userHandle = '';

  constructor(origin: string, { counts = true, copyOf }: { counts?: boolean; copyOf?: SoftwareAuthenticator } = {}) {
    this.#origin = origin;
    this.#counts = counts;
    this.#keys = copyOf ? copyOf.#keys : { id: randomBytes(32), ...generateKeyPairSync('ec', { namedCurve: 'P-256' }) };
    if (copyOf) [this.#counter, this.#userHandle] = [copyOf.#counter, copyOf.#userHandle];
  }

  get credentialId(): string {
    return this.#keys.id.toString('base64url');
  }

  /** Answers `navigator.credentials.create()`. */
  create({ challenge, rp, user }: Creation, lie: Lie = {}): PasskeyRegistration {
    this.#userHandle = lie.userHandle ?? user.id;
    const { id } = this.#keys;
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    const publicKey = cbor(new Map<number, unknown>([...COSE, [-2, Buffer.from(x, 'base64url')], [-3, Buffer.from(y, 'base64url')]]));
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    const attested = Buffer.concat([Buffer.alloc(16), length, id, publicKey]);
    const authData = Buffer.concat([this.#head(rp.id, lie, AT), attested]);
    const attestationObject = cbor(new Map(Object.entries({ fmt: 'none', attStmt: new Map(), authData })));
    return {
      ...this.#credential(),
      response: {
        clientDataJSON: this.#clientData('webauthn.create', challenge, lie).toString('base64url'),
        attestationObject: attestationObject.toString('base64url'),
        transports: ['internal'],
      },
    };
  }

  /** Answers `navigator.credentials.get()`. */
  get({ challenge, rpId }: Request, lie: Lie = {}): PasskeyAssertion {
    const clientData = this.#clientData('webauthn.get', challenge, lie);
    const authData = this.#head(rpId, lie, 0);
    const signed = Buffer.concat([authData, createHash('sha256').update(clientData).digest()]);
    return {
      ...this.#credential(),
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: sign('sha256', signed, this.#keys.privateKey).toString('base64url'),
        userHandle: lie.userHandle ?? (this.#userHandle === '' ? null : this.#userHandle),
      },
    };
  }

  #credential() {
    return { id: this.credentialId, rawId: this.credentialId, type: 'public-key' as const, clientExtensionResults: {} };
  }

  #clientData(type: string, challenge: string, lie: Lie): Buffer {
    return Buffer.from(
      JSON.stringify({ type, challenge: lie.challenge ?? challenge, origin: lie.origin ?? this.#origin, crossOrigin: false }),
    );
  }

  /** Hash of the host name, flags and counter. */
  #head(rpId: string, lie: Lie, more: number): Buffer {
    this.#counter = lie.counter ?? (this.#counts ? this.#counter + 1 : 0);
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.#counter);
    const flags = UP | (lie.userVerified === false ? 0 : UV) | more;
    const rpHash = createHash('sha256')
      .update(lie.rpId ?? rpId)
      .digest();
    return Buffer.concat([rpHash, Buffer.from([flags]), counter]);
  }
}

/** EC2, ES256, P-256. */
const COSE: readonly [number, number][] = [
  [1, 2],
  [3, -7],
  [-1, 1],
];

/** As much of CBOR as a public key without attestation needs. */
function cbor(value: unknown): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Map) return Buffer.concat([head(5, value.size), ...[...value].flat().map(cbor)]);
  throw new Error(`CBOR of ${typeof value} is not needed here`);
}

function head(major: number, n: number): Buffer {
  const top = major << 5;
  if (n < 24) return Buffer.from([top | n]);
  return n < 256 ? Buffer.from([top | 24, n]) : Buffer.from([top | 25, n >> 8, n & 255]);
}
