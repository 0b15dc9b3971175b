import { Pool } from 'undici';
import { median } from '../report.ts';

/** A list of 100 orders, newest first; one order with its items; a note on a customer. */
export const questions = ['list', 'order', 'note'] as const;
export type Question = (typeof questions)[number];

export type Request = { method: 'GET' | 'POST'; path: string; headers: Record<string, string>; body: string | null };

/** A server with the same orders. `requestOf`: the i-th request of a kind; `isAnswer`: whether an answer is what was asked for. */
export type ApiPeer = {
  url: string;
  requestOf(question: Question, index: number): Request;
  isAnswer(question: Question, body: unknown): boolean;
  stop(): Promise<void>;
};

/** What one round found of one question: the median time over one connection, and requests per second over eight. */
export type ApiFigures = { ms: number; rate: number };

const ALONE_MS = 1200;
const ALONE_MOST = 300;
const TOGETHER_MS = 1500;
const CONNECTIONS = 8;

export async function measureApi(peer: ApiPeer, question: Question): Promise<ApiFigures> {
  const pool = new Pool(peer.url, { connections: CONNECTIONS });
  let index = 0;
  const ask = async (): Promise<void> => {
    const answer = await pool.request(peer.requestOf(question, index++));
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(`${question}: answered ${answer.statusCode}: ${text.slice(0, 200)}`);
    if (!peer.isAnswer(question, JSON.parse(text))) throw new Error(`${question}: unexpected answer ${text.slice(0, 200)}`);
  };
  try {
    for (let i = 0; i < 20; i++) await ask();
    const times: number[] = [];
    const end = performance.now() + ALONE_MS;
    while (times.length < ALONE_MOST && performance.now() < end) {
      const began = performance.now();
      await ask();
      times.push(performance.now() - began);
    }
    return { ms: median(times), rate: await rateOf(ask) };
  } finally {
    await pool.close();
  }
}

async function rateOf(ask: () => Promise<void>): Promise<number> {
  const began = performance.now();
  let answers = 0;
  const client = async (): Promise<void> => {
    while (performance.now() - began < TOGETHER_MS) {
      await ask();
      answers++;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, client));
  return (answers * 1000) / (performance.now() - began);
}
