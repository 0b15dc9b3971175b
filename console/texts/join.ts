import { translated, type Words } from '../language/translated.ts';

const english = {
  title: (shop: string) => `Welcome to ${shop}`,
  /** `role` is null where somebody has permissions of their own. */
  invited: (by: string, role: string | null) =>
    role === null ? `${by} invites you to work here.` : `${by} invites you to work here as ${role}.`,
  owner: 'Owner',
  name: 'Your name',
  nameHint: 'Others see it beside what you do.',
  missing: 'Enter your name.',
  address: (email: string) => `You come back by a link to ${email}.`,
  keep: 'Keep me signed in on this device',
  join: 'Join',
  instead: 'Somebody is signed in here. If you join, you take their place in this browser.',
  refused: 'This invitation was used, taken back or is too old. Ask whoever invited you to send it again.',
} as const;

export type JoinText = Words<typeof english>;
export const joinText = translated('join', english);
