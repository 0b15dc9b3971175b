import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';

/** Asks for one line, which the terminal does not show; what is piped in is read as one line too. */
export async function readHiddenLine(question: string): Promise<string> {
  const terminal = process.stdin.isTTY === true;
  if (terminal) process.stderr.write(`${question}: `);
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output, terminal });
  try {
    const line = await Promise.race([once(lines, 'line'), once(lines, 'close').then(() => [''])]);
    return String(line[0]);
  } finally {
    lines.close();
    if (terminal) process.stderr.write('\n');
  }
}

/** The same, but all of what is piped in, which may have several lines; a line feed at its end is dropped. */
export async function readHidden(question: string): Promise<string> {
  return process.stdin.isTTY === true ? readHiddenLine(question) : (await text(process.stdin)).replace(/\r?\n$/, '');
}
