import { type CliConfig, readConfig } from './config.ts';
import { Failure, UsageError } from './failure.ts';
import { readLogin } from './login-file.ts';
import { connectShop, type RemoteShop } from './remote-shop.ts';

const DEFAULT_SERVER = 'http://127.0.0.1:8787';

/** The options of every command that talks to a server. */
export const serverOptions = { server: { type: 'string' }, token: { type: 'string' } } as const;

export type ServerValues = { server?: string | undefined; token?: string | undefined };
export type Session = { server: string; shop: RemoteShop };

/** Finds the server and the token: from the command line, else from the environment, else from the stored login. */
export async function openSession(values: ServerValues): Promise<Session> {
  const config = readConfig(process.env);
  const given = values.server ?? config.server;
  const login = await readLogin(config.loginFile);
  const server = serverAddress(given ?? login?.server);
  const token = givenToken(values, config) ?? (login?.server === server ? login.token : undefined);
  if (token === undefined)
    throw new Failure(`no token is known for ${server}: log in ("backroom login"), or give --token or BACKROOM_TOKEN`);
  return { server, shop: connectShop(server, token) };
}

export function serverAddress(text = DEFAULT_SERVER): string {
  const address = URL.canParse(text) ? new URL(text) : undefined;
  const isServer = address && /^https?:$/.test(address.protocol) && address.search === '' && address.hash === '' && address.username === '';
  if (!isServer) throw new UsageError(`"${text}" is not the address of a server: an address such as ${DEFAULT_SERVER} is expected`);
  return `${address.origin}${address.pathname.replace(/\/+$/, '')}`;
}

export function givenToken(values: ServerValues, config: CliConfig): string | undefined {
  const token = values.token || config.token;
  if (token && !/^[\x21-\x7e]+$/.test(token)) throw new UsageError('the token is not valid: only visible ASCII characters are accepted');
  return token || undefined;
}
