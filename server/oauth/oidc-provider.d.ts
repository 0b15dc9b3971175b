/** What the project uses of the package, which has no types of its own. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  type Json = Record<string, unknown>;
  type Client = { clientId: string; clientName?: string; grantTypeAllowed(type: string): boolean };
  type Oidc = {
    client?: Client;
    params?: { scope?: string };
    result?: Json;
    entities: { Grant?: { exp: number } };
  };
  export type Context = { oidc: Oidc; type: string; body: unknown };

  export default class Provider {
    constructor(issuer: string, configuration: Json);
    proxy: boolean;
    callback(): (req: IncomingMessage, res: ServerResponse) => Promise<void>;
    on(event: 'server_error', listener: (ctx: Context, error: Error) => void): this;
    on(event: 'error', listener: (error: Error) => void): this;
  }

  export const errors: {
    InvalidGrant: new (detail: string) => Error;
    InvalidScope: new (description: string, scope: string) => Error;
    InvalidTarget: new (description: string) => Error;
  };

  export const interactionPolicy: {
    Check: new (reason: string, description: string, check: (ctx: Context) => boolean) => object;
    Prompt: new (options: { name: string; requestable: boolean }, ...checks: object[]) => object;
  };
}
