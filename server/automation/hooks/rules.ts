import type { ErrorItem } from '../../../contract/errors.ts';
import type { HookPreset, HookSignature, SignatureInput } from '../../../contract/hooks.ts';
import type { ParameterDeclaration } from '../../../contract/tasks.ts';
import { changesBetween, given } from '../../verbs/changes.ts';

type Scheme = Omit<HookSignature, 'preset'>;

const HEX = { algorithm: 'sha256', encoding: 'hex', prefix: '', tolerance_seconds: null } as const;

/** What each sender documents about its signatures. The header of Stripe has several parts, so its prefix is not at its beginning. */
const presets = {
  github: { ...HEX, header: 'X-Hub-Signature-256', prefix: 'sha256=' },
  stripe: { ...HEX, header: 'Stripe-Signature', prefix: 'v1=', tolerance_seconds: 300 },
  shopify: { ...HEX, header: 'X-Shopify-Hmac-Sha256', encoding: 'base64' },
} as const satisfies Record<Exclude<HookPreset, 'custom'>, Scheme>;

/** The whole signature that the input asks for, and what is wrong with the input. */
export function signatureOf({ secret: _, ...input }: SignatureInput): { signature: HookSignature; errors: ErrorItem[] } {
  const { preset } = input;
  const fixed: Scheme = preset === 'custom' ? { ...HEX, header: input.header ?? '' } : presets[preset];
  const signature: HookSignature = { preset, ...fixed, ...given(input) };
  const isChosen = (name: string): boolean => (name === 'tolerance_seconds' ? preset === 'stripe' : preset === 'custom');
  const changed = Object.entries(changesBetween({ preset, ...fixed }, signature));
  const errors = changed.flatMap(([name, [always, wanted]]): ErrorItem[] => {
    if (isChosen(name) && wanted !== null) return [];
    const detail =
      always === null
        ? `only the preset "stripe" signs a time; leave it out with "${preset}"`
        : `is ${isChosen(name) ? 'never null' : `always ${JSON.stringify(always)}`} with the preset "${preset}"; leave it out`;
    return [{ pointer: `/verify/${name}`, parameter: null, code: 'invalid_value', detail }];
  });
  if (preset === 'custom' && input.header === undefined) {
    errors.push({ pointer: '/verify/header', parameter: null, code: 'required', detail: 'is required with the preset "custom"' });
  }
  return { signature, errors };
}

/** Returns what is wrong with the parameter that is to get what was sent: the version must declare it, for any JSON. */
export function parameterErrors(name: string, declarations: readonly ParameterDeclaration[]): ErrorItem[] {
  const refuse = (detail: string): ErrorItem[] => [{ pointer: '/parameter', parameter: null, code: 'invalid_value', detail }];
  const declared = declarations.find((one) => one.name === name);
  if (declared && declared.kind !== 'json') return refuse(`"${name}" gets an object, so it must be of the kind json, not ${declared.kind}`);
  if (declared) return [];
  const names = declarations.filter(({ kind }) => kind === 'json').map((one) => `"${one.name}"`);
  return refuse(`the current version declares no parameter "${name}"; of the kind json it has ${names.join(', ') || 'none'}`);
}
