import { type Command, exactly, note, parse, readId, SERVER_HELP, say } from '../command.ts';
import { openSession, serverOptions } from '../session.ts';

export const signInLink: Command = {
  name: 'sign-in-link',
  usage: '[--minutes N]',
  about: 'prints an address that signs in to the console once, as the admin of the token',
  options: [['--minutes N', 'the address works for N minutes, 1 to 60 (default 15)'], ...SERVER_HELP],
  notes: ['Only the address is written to standard output. Whoever opens it first has for 12 hours what the token may.'],
  example: 'npx backroom sign-in-link --minutes 5',
  async run(args) {
    const { values, positionals } = parse(args, { ...serverOptions, minutes: { type: 'string' } });
    exactly(positionals, []);
    const minutes = values.minutes === undefined ? {} : { expires_in_minutes: readId('--minutes', values.minutes) };
    const { server, shop } = await openSession(values);
    const { url_path, expires_at } = await shop.client.me.create_sign_in_link(minutes);
    note(`Works once, until ${expires_at}:`);
    say(`${server}${url_path}`);
    return 0;
  },
};
