import { translated, type Words } from '../language/translated.ts';

/** The page on which a client asks to be connected as an agent. */
const english = {
  title: 'Connect an agent',
  asks: 'A client asks to act for you',
  client: 'Calls itself',
  host: 'Vouched for by',
  noHost: 'nobody: anyone can call itself so. Go on only if you have just started this yourself.',
  redirect: 'The answer goes to',
  actsFor: 'Acts for',
  choose: 'Choose what it may. It proposes; whatever would change the shop waits for a person.',
  chooseAsked: 'It asks for what can be chosen here. It proposes; whatever would change the shop waits for a person.',
  allow: 'Allow',
  deny: 'Deny',
  gone: 'This request was answered, or has expired. Begin again in the client.',
  goesOn: 'Answered. The browser goes back to the client.',
} as const;

export type ConnectText = Words<typeof english>;
export const connectText = translated('connect', english);
