import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { startChild } from './child.ts';
import { type Chart, drawChart, type Line } from './draw-curves.ts';
import { type Row, row } from './report.ts';

const FOLDER = fileURLToPath(new URL('../docs/benchmarks', import.meta.url));

/**
 * `most`: the largest ratio of the value at the largest size to that at the smallest; without it the curve has no target. `unless`: a value
 * up to this is accepted whatever the ratio.
 */
export type Measured = Line & { most?: number; unless?: number };

/** A chart of which no size was left out is drawn into docs/benchmarks, another into the temporary folder. */
export type Growth = Omit<Chart, 'lines'> & { file: string; unit: string; lines: readonly Measured[]; isWhole: boolean };

/** The sizes up to a bound, but at least two of them. */
export function upTo(sizes: readonly number[], largest: number): { sizes: number[]; isWhole: boolean } {
  const kept = sizes.filter((size, n) => n < 2 || size <= largest);
  return { sizes: kept, isWhole: kept.length === sizes.length };
}

/** Draws the curves and makes a row of each: its value at the largest size, compared with the smallest. */
export async function growthRows({ file, unit, isWhole, ...chart }: Growth): Promise<Row[]> {
  const folder = isWhole ? FOLDER : join(tmpdir(), 'backroom-bench-curves');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${file}.svg`), drawChart(chart));
  process.stderr.write(`drawn: ${join(folder, `${file}.svg`)}\n`);
  return chart.lines.flatMap(({ name, points, isBaseline, most, unless }) => {
    const [first, last] = [points[0], points.at(-1)];
    if (isBaseline || !first || !last) return [];
    return row({
      name: `${name}: ${last.size} ${chart.x}, compared with ${first.size}`,
      figure: last.value,
      unit,
      baseline: first.value,
      ...(most !== undefined && { ratioBound: { most, ...(unless !== undefined && { unless }) } }),
    });
  });
}

/** A server of bare node:http that answers these bytes. */
export async function startBare(text: string): Promise<{ url: string; stop(): void }> {
  const bare = startChild('bare-server.ts', [200, text]);
  return { url: z.string().parse(await bare.next()), stop: () => void bare.kill() };
}
