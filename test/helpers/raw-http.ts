import { connect } from 'node:net';

/** A server that never answers must fail a test, and a slow machine must not. */
const FIRST_BYTE_MS = 60_000;

/** Sends the bytes unchanged and returns all that the server sends, until it closes or, after its first bytes, is silent for `quietMs`. */
export function rawHttp(
  url: string,
  bytes: string | Buffer,
  quietMs = 300,
): Promise<{ text: string; statuses: number[]; closed: boolean }> {
  const { port, hostname } = new URL(url);
  return new Promise((resolve) => {
    let text = '';
    let closed = false;
    const socket = connect(Number(port), hostname);
    const finish = (): void => {
      clearTimeout(timer);
      socket.destroy();
      const statuses = [...text.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map((match) => Number(match[1]));
      resolve({ text, statuses, closed });
    };
    let timer = setTimeout(finish, FIRST_BYTE_MS);
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      clearTimeout(timer);
      timer = setTimeout(finish, quietMs);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      closed = true;
      finish();
    });
    socket.write(bytes);
  });
}
