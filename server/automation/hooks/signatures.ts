import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import type { HookSignature } from '../../../contract/hooks.ts';
import type { HookRow } from './store.ts';

type Signed = { signature: HookSignature; secret: string; given: string; body: Buffer; nowMs: number };

/** Returns why a signature is not that of the body's bytes; null if it is. */
export function faultOfSignature({ signature, secret, given, body, nowMs }: Signed): string | null {
  const { preset, algorithm, encoding, prefix, tolerance_seconds: tolerance } = signature;
  const mac = (signed: string): Buffer => createHmac(algorithm, secret).update(signed).update(body).digest();
  if (preset === 'stripe') return faultOfParts(given, { prefix, toleranceMs: (tolerance ?? 0) * 1000, nowMs, mac });
  if (!given.startsWith(prefix)) return `it does not begin with "${prefix}"`;
  return isMac(given.slice(prefix.length), encoding, mac('')) ? null : 'it is not that of this body and the secret of the hook';
}

type Parts = { prefix: string; toleranceMs: number; nowMs: number; mac(signed: string): Buffer };

/** `t=<Unix seconds>,v1=<hex>`, with one `v1` for each secret that is in force; the time is signed together with the body. */
function faultOfParts(given: string, { prefix, toleranceMs, nowMs, mac }: Parts): string | null {
  const parts = given.split(',').map((part) => part.trim());
  const time = parts.find((part) => part.startsWith('t='))?.slice(2) ?? '';
  if (!/^\d{1,12}$/.test(time)) return 'it has no time "t=" in Unix seconds';
  const wanted = mac(`${time}.`);
  const macs = parts.filter((part) => part.startsWith(prefix)).map((part) => part.slice(prefix.length));
  if (!macs.some((one) => isMac(one, 'hex', wanted))) return 'it is not that of this time and body and the secret of the hook';
  const awayMs = Math.abs(nowMs - Number(time) * 1000);
  return awayMs <= toleranceMs ? null : `its time is more than ${toleranceMs / 1000} s away from the time of the server`;
}

/** Compares in constant time. Buffer ignores what is no hex or base64, so the text itself is checked first. */
function isMac(text: string, encoding: HookSignature['encoding'], wanted: Buffer): boolean {
  const isWritten = encoding === 'hex' ? /^[0-9a-f]+$/i.test(text) : /^[A-Za-z0-9+/]+={0,2}$/.test(text);
  const given = Buffer.from(isWritten ? text : '', encoding);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

type Known = Pick<HookRow, 'id' | 'repeats' | 'idempotency_header' | 'verify'>;
type Sent = { header(name: string): string | undefined; body: Buffer };

/**
 * The key by which a repeated call of a hook is known: its own header, else the signed body. Nothing else counts: whoever sends a signed body
 * again may choose the query, and two calls with the same unsigned text may be two calls. null: the call is never a repeated one.
 */
export function keyOfCall(hook: Known, { header, body }: Sent): string | null {
  if (hook.repeats === 'each') return null;
  const identity = hook.idempotency_header === null ? undefined : header(hook.idempotency_header);
  if (identity) return `${hook.id}/header/${hash('sha256', identity)}`;
  // The line end is that of the empty query, which earlier versions of the server put in front.
  return hook.verify === null ? null : `${hook.id}/body/${hash('sha256', Buffer.concat([Buffer.from('\n'), body]))}`;
}
