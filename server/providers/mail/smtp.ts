import { isIPv4 } from 'node:net';
import { createTransport, type NodemailerError } from 'nodemailer';
import { requestIdHeader } from '../../process/request-id.ts';
import { shown } from '../said.ts';

/** The account that the shop's mails go out by. */
export type SmtpAccount = { host: string; port: number; secure: boolean; user: string; password: string | null; from: string };

export type Letter = { messageId: string; to: { name: string; address: string }; subject: string; text: string; html: string };

/** `refused`: never, whatever is tried; `deferred`: not now, this one; `unreachable`: not now, no mail at all. */
/** `maybeSent`: the server may have taken it all the same. */
export type Sending = { outcome: 'sent' } | { outcome: 'refused' | 'deferred' | 'unreachable'; error: string; maybeSent: boolean };

export type Postman = {
  /** Never rejects; how it went is data. */
  send(letter: Letter, signal: AbortSignal): Promise<Sending>;
  close(): void;
};

const CONNECT_WITHIN_MS = 10_000;
const SILENT_AT_MOST_MS = 30_000;
/** Answers of RFC 5321. */
const CLOSING = 421;
const TOO_LARGE = 552;

/** A few connections to one SMTP server; whether a mail is tried again is decided by the outbox alone. */
export function openSmtp(account: SmtpAccount, connections: number): Postman {
  const { host, port, secure, user, password, from } = account;
  const transport = createTransport({
    pool: true,
    host,
    port,
    secure,
    // A password never travels in clear text, but for a server on this machine.
    requireTLS: !secure && user !== '' && !isThisMachine(host),
    // Here a certificate is self-made more often than not, and nobody listens in.
    ...(isThisMachine(host) ? { tls: { rejectUnauthorized: false } } : {}),
    ...(user === '' ? {} : { auth: { user, pass: password ?? '' } }),
    maxConnections: connections,
    maxRequeues: 0,
    connectionTimeout: CONNECT_WITHIN_MS,
    greetingTimeout: CONNECT_WITHIN_MS,
    dnsTimeout: CONNECT_WITHIN_MS,
    socketTimeout: SILENT_AT_MOST_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  // What goes wrong is told by each send; an idle connection that breaks is nobody's concern.
  transport.on('error', () => undefined);
  return {
    send: async ({ messageId, to, subject, text, html }, signal) => {
      try {
        const headers = { 'Auto-Submitted': 'auto-generated', ...requestIdHeader() };
        await transport.sendMail({ from, to, subject, text, html, messageId, headers, signal });
        return { outcome: 'sent' };
      } catch (error) {
        // As AUTH PLAIN sends it.
        return judge(error, [password, password && `\0${user}\0${password}`]);
      }
    },
    close: () => transport.close({ force: true }),
  };
}

/** By its address, or the one name that no name server is asked for: 127.example.com is anybody's. */
export function isThisMachine(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}

/** A server that refuses the sender or the log-in refuses every mail: that is the account's fault, not the letter's. */
function judge(error: unknown, secrets: readonly (string | null)[]): Sending {
  const words = shown(error instanceof Error ? error.message : String(error), secrets, 500);
  if (!isMailError(error)) return { outcome: 'deferred', error: words, maybeSent: true };
  const { code, command, responseCode } = error;
  const aboutSender =
    /^Invalid sender/.test(error.message) || (command === 'MAIL FROM' && responseCode !== undefined && responseCode !== TOO_LARGE);
  const aboutLetter = (code === 'EENVELOPE' || code === 'EMESSAGE') && responseCode !== CLOSING && !aboutSender;
  if (!aboutLetter) return { outcome: 'unreachable', error: words, maybeSent: isWithoutAnswer(error) };
  return { outcome: (error.permanent ?? true) ? 'refused' : 'deferred', error: words, maybeSent: false };
}

const BEFORE_THE_LETTER = /^(Connection timeout|Greeting never received|TLS handshake timed out)/;
const BROKEN = new Set<string | undefined>([undefined, 'ECONNECTION', 'ESOCKET', 'ETIMEDOUT', 'ABORT_ERR']);

/** The connection broke, or was broken off, when the letter may have been there. */
function isWithoutAnswer(error: NodemailerError): boolean {
  const wasConnecting = BEFORE_THE_LETTER.test(error.message) || ('syscall' in error && error.syscall === 'connect');
  return error.responseCode === undefined && !wasConnecting && BROKEN.has(error.code);
}

function isMailError(error: unknown): error is NodemailerError {
  return error instanceof Error;
}
