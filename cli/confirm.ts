import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** Asks a yes-or-no question. Any other text than `y` or `yes`, and the end of the input, mean no. */
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
