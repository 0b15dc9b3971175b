import { PREFIX } from '../../contract/endpoint.ts';
import { endpointList } from '../../contract/index.ts';

/** The endpoints whose answers show a token, link or secret: no token for one request is valid there (spec AU19). */
const makers = endpointList
  .filter(({ secretFields }) => secretFields !== undefined)
  .map(({ method, path }) => ({ method, pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }));

const PATH = new RegExp(`${PREFIX}(/[^\\s'"?]*)`);

/** Whether one of the requests that the text of commands sends goes to such an endpoint. */
export function makesSecret(commands: string): boolean {
  return commands.split(/\bcurl\b/).some((command) => {
    const [, path] = PATH.exec(command) ?? [];
    if (path === undefined) return false;
    const hasBody = /\s(-d|-F|--data\S*|--form|--json)\s/.test(command);
    const method = /\s(?:-X|--request) (\w+)/.exec(command)?.[1] ?? (hasBody ? 'POST' : 'GET');
    return makers.some((maker) => maker.method === method && maker.pattern.test(path));
  });
}
