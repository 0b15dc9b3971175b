import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** Asks for a yes; whatever else is typed, and the end of the input, is none. */
export async function confirm(question: string, input: NodeJS.ReadableStream, output: NodeJS.WritableStream): Promise<boolean> {
  output.write(`${question} [y/N] `);
  const lines = createInterface({ input });
  try {
    const [line] = await Promise.race([once(lines, 'line'), once(lines, 'close').then(() => [''])]);
    return /^\s*y(?:es)?\s*$/i.test(String(line));
  } finally {
    lines.close();
  }
}
