import { isIPv4 } from 'node:net';
import type { NodemailerError } from 'nodemailer';
import { requestIdHeader } from '../../process/request-id.ts';
import { outgoingSpan } from '../outgoing-span.ts';
import { redact } from '../redaction.ts';

/** The SMTP account that sends the shop's mails. */
export type SmtpAccount = { host: string; port: number; secure: boolean; user: string; password: string | null; from: string };

export type OutgoingMail = {
  messageId: string;
  to: { name: string; address: string };
  subject: string;
  text: string;
  html: string | null;
  replyTo: string | null;
  /** Where the recipient's mail program opts out with one click (RFC 8058). */
  unsubscribeUrl: string | null;
};

/**
 * `refused`: this mail can never be sent. `deferred`: this mail cannot be sent now. `unreachable`: no mail can be sent now. `maybeSent`: the
 * server may nevertheless have accepted the mail.
 */
export type Sending = { outcome: 'sent' } | { outcome: 'refused' | 'deferred' | 'unreachable'; error: string; maybeSent: boolean };

export type Postman = {
  /** Never rejects; the result tells whether the mail was sent. */
  send(mail: OutgoingMail, signal: AbortSignal): Promise<Sending>;
  close(): void;
};

const CONNECT_WITHIN_MS = 10_000;
const SILENT_AT_MOST_MS = 30_000;
/** Reply codes of RFC 5321. */
const CLOSING = 421;
const TOO_LARGE = 552;

/** Opens a pool of connections to one SMTP server. The pool repeats nothing: only the outbox decides whether a mail is tried again. */
export function openSmtp(account: SmtpAccount, connections: number): Postman {
  const { host, port, secure, user, password, from } = account;
  const open = async () => {
    const { createTransport } = await import('nodemailer');
    const transport = createTransport({
      pool: true,
      host,
      port,
      secure,
      // A password is never sent in clear text, except to a server on this machine.
      requireTLS: !secure && user !== '' && !isThisMachine(host),
      // A server on this machine often has a self-signed certificate, and nobody can listen in.
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
    // Each send reports its own errors; an idle connection that breaks needs no report.
    transport.on('error', () => undefined);
    return transport;
  };
  // nodemailer is loaded by the first mail: a shop that sends none needs no memory for it.
  let opened: ReturnType<typeof open> | undefined;
  return {
    send: (letter, signal) =>
      outgoingSpan('send mail', '', { 'server.address': host, 'server.port': port }, async (span) => {
        const sending = await send(letter, signal);
        if (sending.outcome !== 'sent') span?.fail(sending.outcome);
        return sending;
      }),
    close: () => void opened?.then((transport) => transport.close({ force: true })),
  };

  async function send({ unsubscribeUrl, html, replyTo, ...mail }: OutgoingMail, signal: AbortSignal): Promise<Sending> {
    try {
      const headers = { 'Auto-Submitted': 'auto-generated', ...requestIdHeader(), ...unsubscribeHeaders(unsubscribeUrl) };
      const parts = { ...(html === null ? {} : { html }), ...(replyTo === null ? {} : { replyTo: { name: '', address: replyTo } }) };
      opened ??= open();
      await (await opened).sendMail({ from, ...mail, ...parts, headers, signal });
      return { outcome: 'sent' };
    } catch (error) {
      // Hidden in the form in which AUTH PLAIN sends it too.
      return classify(error, [password, password && `\0${user}\0${password}`]);
    }
  }
}

function unsubscribeHeaders(url: string | null): Record<string, string> {
  return url === null ? {} : { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
}

/**
 * Whether the host is this machine: a loopback address or `localhost`, the one name that is never looked up. A name such as 127.example.com
 * could be anybody's.
 */
export function isThisMachine(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}

/**
 * Classifies an error of sending. A server that refuses the sender or the log-in would refuse every mail, so the account is at fault and
 * not this mail.
 */
function classify(error: unknown, secrets: readonly (string | null)[]): Sending {
  const words = redact(error instanceof Error ? error.message : String(error), secrets, 500);
  if (!isMailError(error)) return { outcome: 'deferred', error: words, maybeSent: true };
  const { code, command, responseCode } = error;
  const aboutSender =
    /^Invalid sender/.test(error.message) || (command === 'MAIL FROM' && responseCode !== undefined && responseCode !== TOO_LARGE);
  const aboutMail = (code === 'EENVELOPE' || code === 'EMESSAGE') && responseCode !== CLOSING && !aboutSender;
  if (!aboutMail) return { outcome: 'unreachable', error: words, maybeSent: isWithoutAnswer(error) };
  return { outcome: (error.permanent ?? true) ? 'refused' : 'deferred', error: words, maybeSent: false };
}

const BEFORE_THE_MAIL = /^(Connection timeout|Greeting never received|TLS handshake timed out)/;
const BROKEN = new Set<string | undefined>([undefined, 'ECONNECTION', 'ESOCKET', 'ETIMEDOUT', 'ABORT_ERR']);

/** Whether the connection broke at a time when the server may already have accepted the mail. */
function isWithoutAnswer(error: NodemailerError): boolean {
  const wasConnecting = BEFORE_THE_MAIL.test(error.message) || ('syscall' in error && error.syscall === 'connect');
  return error.responseCode === undefined && !wasConnecting && BROKEN.has(error.code);
}

function isMailError(error: unknown): error is NodemailerError {
  return error instanceof Error;
}
