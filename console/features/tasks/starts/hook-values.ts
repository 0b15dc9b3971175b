import type { Hook, HookSignature, SignatureInput } from '../../../../contract/hooks.ts';
import type { JsonObject } from '../../../../contract/run-events.ts';
import { withoutLineEnd } from '../../../ui/line-end.ts';
import { type StartValues, startOf, startValuesOf } from './start-values.ts';

/** The values of the form of a hook. `secret` is never read, so it is empty unless somebody types a new one. */
export type HookValues = Pick<Hook, 'name' | 'enabled' | 'parameter' | 'repeats' | 'raw_body' | 'wait'> & {
  parameters: JsonObject;
  verify: Signed | null;
  idempotency_header: string;
  rate_per_minute: number | null;
  start: StartValues;
};
export type Signed = HookSignature & { secret: string };

export const firstSignature: Signed = {
  ...{ preset: 'github', header: '', algorithm: 'sha256', encoding: 'hex', prefix: '', tolerance_seconds: null, secret: '' },
};

export function valuesOf({ verify, idempotency_header, ...hook }: Hook): HookValues {
  const { name, enabled, parameter, parameters, repeats, raw_body, wait, rate_per_minute, start } = hook;
  return {
    ...{ name, enabled, parameter, parameters, repeats, raw_body, wait, rate_per_minute, start: startValuesOf(start) },
    verify: verify === null ? null : { ...verify, secret: '' },
    idempotency_header: idempotency_header ?? '',
  };
}

/** Whether something makes a call known; without it, no call is a repeated one. */
export function isKnowable({ verify, idempotency_header }: Pick<HookValues, 'verify' | 'idempotency_header'>): boolean {
  return verify !== null || idempotency_header.trim() !== '';
}

/** The parameter that gets the call has no fixed value beside it. */
export function bodyOf({ verify, idempotency_header, rate_per_minute, parameters, start, ...rest }: HookValues) {
  return {
    ...rest,
    repeats: isKnowable({ verify, idempotency_header }) ? rest.repeats : 'each',
    parameters: Object.fromEntries(Object.entries(parameters).filter(([name]) => name !== rest.parameter)),
    verify: verify === null ? null : signatureOf(verify),
    idempotency_header: idempotency_header.trim() || null,
    rate_per_minute: rate_per_minute ?? 0,
    start: startOf(start),
  };
}

/** A preset takes only what it does not fix itself. */
function signatureOf({ preset, secret: typed, header, algorithm, encoding, prefix, tolerance_seconds }: Signed): SignatureInput {
  const secret = withoutLineEnd(typed);
  return {
    preset,
    ...(secret === '' ? {} : { secret }),
    ...(preset === 'custom' ? { header, algorithm, encoding, prefix } : {}),
    ...(preset === 'stripe' && tolerance_seconds !== null ? { tolerance_seconds } : {}),
  };
}
