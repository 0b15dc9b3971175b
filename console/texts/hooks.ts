import type { Hook, HookPreset, HookRepeats } from '../../contract/hooks.ts';
import { translated, type Words } from '../language/translated.ts';

/** The texts of the hooks of a task. */
const english = {
  create: 'New hook',
  add: 'Make the hook',
  empty: 'This task has no hook. A hook is an address that another system calls to start the task.',
  address: 'The address of this hook',
  addressLost: 'Its address was in an answer that did not arrive: make a new address.',
  columns: { name: 'Hook', signed: 'Signature' },
  notSigned: 'The address alone',
  lastError: 'The last call started no run:',
  fields: {
    name: 'What it is for',
    enabled: 'It is on',
    parameter: 'The parameter that gets what was sent',
    parameters: 'Parameters of its runs',
    verify: 'A call must be signed',
    idempotency_header: 'Header by which a repeated call is known',
    repeats: 'A call that is made again within a day',
    raw_body: 'The parameter also gets the text of the body, as raw_body',
    wait: 'A call waits for the end of its run and gets its result',
    rate_per_minute: 'Calls a minute, at most',
  } satisfies Partial<Record<keyof Hook, string>>,
  noParameter: 'none',
  parameterHint: 'It gets headers, query and body. The version must declare it with the kind “json”.',
  repeatHint: 'Such as X-GitHub-Delivery. Empty: a signed body tells, and a call without a signature always starts a run.',
  repeats: { once: 'gets the run of the first one', each: 'starts a run of its own' } satisfies Record<HookRepeats, string>,
  presets: {
    none: 'no: whoever knows the address can start the task',
    github: 'as GitHub does',
    stripe: 'as Stripe does',
    shopify: 'as Shopify does',
    custom: 'in another way',
  } satisfies Record<HookPreset | 'none', string>,
  presetNames: { github: 'GitHub', stripe: 'Stripe', shopify: 'Shopify', custom: 'Its own' } satisfies Record<HookPreset, string>,
  secret: 'Secret that the sender signs with',
  secretHint: 'It is never shown again.',
  newSecret: 'New secret of the sender',
  keepHint: 'Nobody can read the stored one. Left empty, it stays.',
  header: 'Header with the signature',
  algorithm: 'Algorithm',
  encoding: 'Written as',
  prefix: 'Text before the signature',
  tolerance: 'Seconds that a signed time may be off',
  toleranceHint: 'Empty: as usual.',
  rotate: 'New address…',
  rotateTitle: (name: string) => `Give “${name}” a new address?`,
  rotateAct: 'New address',
  rotateDetail: 'The old address stops working at once. The new one is shown only once. The hook acts for you from then on.',
  removal: 'Its address stops working at once. The runs that it has started are kept.',
} as const;

export type HooksText = Words<typeof english>;
export const hooksText = translated('hooks', english);
