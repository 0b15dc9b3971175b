/** Where the authorization server stands (spec MC8). Its issuer is the shop's `public_url`, which is https, or http on this machine; without one it is off. */

export const AUTHORIZE_PATH = '/oauth/authorize';
export const REGISTER_PATH = '/oauth/register';
/** The page of the console on which an admin decides. */
export const CONNECT_PATH = '/connect';
/** The scope of every request; permissions may be asked for beside it. */
export const AGENT_SCOPE = 'agent';

/** What the tokens are valid for. */
export function resourceOf(issuer: string): string {
  return `${issuer}/mcp`;
}

export function resourceMetadataOf(issuer: string): string {
  return `${issuer}/.well-known/oauth-protected-resource/mcp`;
}

/** The cookie of the browser in which a request began, with the request. */
export const RESUME_COOKIE = 'backroom_connect_resume';

/** The host of an address; of an app's own scheme, the scheme: what stands behind it belongs to nobody. */
export function hostOf(url: string): string {
  const { host, protocol } = new URL(url);
  return protocol === 'https:' || protocol === 'http:' ? host : protocol;
}
