import { type Command, exactly, parse, say } from '../command.ts';
import { readConfig } from '../config.ts';
import { UsageError } from '../failure.ts';
import { readHiddenLine } from '../hidden-line.ts';
import { writeLogin } from '../login-file.ts';
import { connectShop } from '../remote-shop.ts';
import { oneLine } from '../screen.ts';
import { givenToken, serverAddress, serverOptions } from '../session.ts';

export const login: Command = {
  name: 'login',
  usage: '[--server URL] [--token TOKEN]',
  about: 'stores the address of a server and an access token for it',
  options: [
    ['--server URL', 'address of the server (or SERVER_URL; default: http://127.0.0.1:8787)'],
    ['--token TOKEN', 'an access token (or BACKROOM_TOKEN; else asked for, or read from standard input)'],
  ],
  notes: ['The token is tried, then stored in $XDG_CONFIG_HOME/backroom/login.json (else ~/.config), which only you can read.'],
  async run(args) {
    const { values, positionals } = parse(args, serverOptions);
    exactly(positionals, []);
    const config = readConfig(process.env);
    const server = serverAddress(values.server ?? config.server);
    const token = givenToken(values, config) ?? givenToken({ token: (await readHiddenLine('Access token')).trim() }, config);
    if (!token) throw new UsageError('no token was given: type it, pipe it in, or give --token or BACKROOM_TOKEN');
    const me = await connectShop(server, token).client.me.get();
    await writeLogin(config.loginFile, { server, token });
    say(`Logged in to ${server} as ${oneLine(me.name || me.email || `admin ${me.id}`)} (${me.role}); stored in ${config.loginFile}`);
    return 0;
  },
};
