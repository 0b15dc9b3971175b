import assert from 'node:assert/strict';
import { SESSION_COOKIE } from '../../contract/sessions.ts';
import type { RawAnswer, TestApp } from './app.ts';
import { type Lie, SoftwareAuthenticator } from './software-authenticator.ts';

/** What the answers of sessions hold. */
type Body = Record<string, unknown> & { options?: never };

/** Where passkeys of the test's server work. */
export function originOf({ url }: Pick<TestApp, 'url'>): string {
  return `http://localhost:${new URL(url).port}`;
}

/** A browser with a passkey: it sends its cookie and says where its page is from, as browsers do, and answers challenges. */
export class PasskeyBrowser {
  readonly #app: TestApp;
  authenticator: SoftwareAuthenticator;
  /** The secret of the session's cookie. */
  secret: string | null = null;
  token = '';
  sessionId = 0;

  constructor(app: TestApp, options: { counts?: boolean } = {}) {
    this.#app = app;
    this.authenticator = new SoftwareAuthenticator(originOf(app), options);
  }

  get origin(): string {
    return originOf(this.#app);
  }

  get cookie(): string {
    return `${SESSION_COOKIE}=${this.secret}`;
  }

  get client() {
    return this.#app.clientFor(this.token);
  }

  /** Sends a request to one of the paths that need no token. */
  async ask(method: 'POST' | 'DELETE', path: string, body?: unknown, headers: Record<string, string> = {}): Promise<RawAnswer> {
    const cookie = this.secret === null ? {} : { cookie: `${SESSION_COOKIE}=${this.secret}` };
    const own = { origin: originOf(this.#app), 'sec-fetch-site': 'same-origin', ...cookie };
    const answer = await this.#app.request({
      method,
      path: `/admin/api${path}`,
      body: body ?? {},
      token: null,
      headers: { ...own, ...headers },
    });
    const [, secret] = /^__Host-backroom_session=(\w*);/.exec(answer.headers['set-cookie'] ?? '') ?? [];
    if (secret !== undefined) this.secret = secret === '' ? null : secret;
    const { token, session_id } = bodyOf(answer);
    if (typeof token === 'string') this.token = token;
    if (typeof session_id === 'number') this.sessionId = session_id;
    return answer;
  }

  /** Makes the authenticator's passkey by a code, and is signed in. */
  async enrol(code: string, name = 'Laptop', lie: Lie = {}): Promise<RawAnswer> {
    const { options } = bodyOf(await this.ask('POST', '/passkeys/options', { code }));
    assert.ok(options, 'the code is refused');
    return this.ask('POST', '/passkeys', { code, credential: this.authenticator.create(options, lie), name, device: 'Chrome, Linux' });
  }

  /** A passkey that is made for a code, before it is sent. */
  async made(code: string) {
    const { options } = bodyOf(await this.ask('POST', '/passkeys/options', { code }));
    assert.ok(options, 'the code is refused');
    return this.authenticator.create(options);
  }

  async challenge() {
    const { options } = bodyOf(await this.ask('POST', '/session/challenge'));
    assert.ok(options);
    return options;
  }

  async signIn(lie: Lie = {}): Promise<RawAnswer> {
    return this.ask('POST', '/session', { credential: this.authenticator.get(await this.challenge(), lie), device: 'Chrome, Linux' });
  }

  renew(headers: Record<string, string> = {}): Promise<RawAnswer> {
    return this.ask('POST', '/session/token', undefined, headers);
  }

  /** The passkey's answer that confirms an act of whoever has this token. */
  async confirm(confirms: 'add_passkey' | 'delete_passkey' | 'recovery_codes' | 'vouch', token = this.token, lie: Lie = {}) {
    const { options } = await this.#app.clientFor(token).me.passkey_challenge({ confirms });
    return this.authenticator.get(options, lie);
  }
}

function bodyOf({ body }: RawAnswer): Body {
  return typeof body === 'object' && body !== null ? (body as Body) : {};
}
