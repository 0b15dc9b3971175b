import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export type ReceivedMail = { from: string; to: string[]; headers: Map<string, string>; text: string; html: string };
/** The `code` and `words` of a refusal; undefined: accepted. */
type Verdict = { code: number; words: string } | undefined;

export type Smtp = {
  port: number;
  /** All messages that were received, including refused ones. */
  received: ReceivedMail[];
  accepted: ReceivedMail[];
  users: string[];
  close(): Promise<void>;
};

type Judges = { atRecipient?: (address: string) => Verdict; atEnd?: (mail: ReceivedMail) => Verdict | Promise<Verdict> };

/** A real SMTP server on the loopback interface; `judges` decide what it refuses. */
export async function startSmtp(judges: Judges = {}, options: SMTPServerOptions & { port?: number } = {}): Promise<Smtp> {
  const { port: wanted = 0, ...rest } = options;
  const received: ReceivedMail[] = [];
  const accepted: ReceivedMail[] = [];
  const users: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    onAuth: (auth, _session, callback) => {
      users.push(auth.username ?? '');
      if (auth.password === 'right') return callback(null, { user: auth.username });
      const asSent = Buffer.from(`\0${auth.username}\0${auth.password}`).toString('base64');
      callback(refusal({ code: 535, words: `no entry for ${auth.username} with ${auth.password} (${asSent})` }));
    },
    onRcptTo: ({ address }, _session, callback) => callback(refusal(judges.atRecipient?.(address))),
    onData: async (stream, { envelope }, callback) => {
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(Buffer.from(chunk));
      const mail = {
        from: envelope.mailFrom ? envelope.mailFrom.address : '',
        to: envelope.rcptTo.map(({ address }) => address),
        ...read(Buffer.concat(chunks).toString('utf8')),
      };
      received.push(mail);
      const verdict = await judges.atEnd?.(mail);
      if (!verdict) accepted.push(mail);
      callback(refusal(verdict));
    },
    ...rest,
  });
  // In some tests a client closes its connection in the middle, which is an error for the server.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(wanted, '127.0.0.1', resolve));
  const address = server.server.address();
  if (address === null || typeof address === 'string') throw new Error('the SMTP server has no port');
  return { port: address.port, received, accepted, users, close: () => new Promise((resolve) => server.close(() => resolve())) };
}

function refusal(verdict: Verdict): (Error & { responseCode?: number }) | null {
  return verdict ? Object.assign(new Error(verdict.words), { responseCode: verdict.code }) : null;
}

function read(raw: string): Pick<ReceivedMail, 'headers' | 'text' | 'html'> {
  const { headers, body } = split(raw);
  const boundary = /boundary="([^"]+)"/.exec(headers.get('content-type') ?? '')?.[1];
  const parts = boundary === undefined ? [] : body.split(`--${boundary}`).map((part) => split(part.replace(/^\r\n/, '')));
  const partOf = (type: string): string => {
    const part = parts.find((one) => one.headers.get('content-type')?.startsWith(type));
    return part ? decode(part.body, part.headers.get('content-transfer-encoding')) : '';
  };
  return { headers, text: partOf('text/plain'), html: partOf('text/html') };
}

function split(raw: string): { headers: Map<string, string>; body: string } {
  const end = raw.indexOf('\r\n\r\n');
  const lines = raw
    .slice(0, Math.max(0, end))
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = new Map(lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]));
  return { headers, body: raw.slice(end + 4) };
}

function decode(body: string, encoding = '7bit'): string {
  const text = body.replace(/\r\n$/, '');
  if (encoding === 'base64') return Buffer.from(text, 'base64').toString('utf8');
  if (encoding !== 'quoted-printable') return text;
  const bytes = text
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
