import { homedir } from 'node:os';
import { join } from 'node:path';

export type CliConfig = { server: string | undefined; token: string | undefined; hookSecret: string | undefined; loginFile: string };

/** The settings from the environment. Options on the command line take precedence over them. */
export function readConfig(env: NodeJS.ProcessEnv): CliConfig {
  const home = env['XDG_CONFIG_HOME'] || join(homedir(), '.config');
  return {
    server: env['SERVER_URL'] || undefined,
    token: env['BACKROOM_TOKEN'] || undefined,
    /** The secret of the signatures of a hook that is made. */
    hookSecret: env['BACKROOM_HOOK_SECRET'] || undefined,
    loginFile: join(home, 'backroom', 'login.json'),
  };
}
