import { countText } from '../language/formats.ts';
import { translated, type Words } from '../language/translated.ts';

const english = {
  title: 'First steps',
  count: (done: number, all: number) => `${countText(done)} of ${countText(all)} done`,
  done: 'Done',
  hide: 'Hide the list',
  hidden: 'The first steps are hidden.',
  shownAgain: 'The first steps are shown again.',
  steps: {
    shop: {
      name: 'Name and currency',
      why: 'Customers read the name in every mail. The currency is fixed from the first order on.',
      act: 'Name the shop',
    },
    product: { name: 'First product', why: 'An order needs something to sell.', act: 'New product' },
    courier: { name: 'Parcels', why: 'A label needs the address that parcels are sent from.', act: 'Set the sender' },
    mail: { name: 'Mail', why: 'Without an account, mails to customers wait.', act: 'Set up mail' },
    passkey: {
      name: 'Your passkey',
      why: 'Sign in with your fingerprint, face or screen lock. No password can be stolen.',
      act: 'Set up a passkey',
    },
    person: { name: 'A second person', why: 'Somebody else can approve what you write.', act: 'Invite a person' },
    task: { name: 'First task', why: 'Start from an example. A dry run shows what it would change.', act: 'See the examples' },
  },
} as const;

export type FirstStepsText = Words<typeof english>;
export const firstStepsText = translated('firstSteps', english);
