/** Something that is measured beside others. */
export type Contender<Peer> = { name: string; start: () => Promise<Peer> };
export type Measured<Figures> = { name: string; rounds: Figures[] } | { name: string; missing: string };

const LIMIT_MS = 3 * 60_000;
const START_LIMIT_MS = 25 * 60_000;

/**
 * Starts all contenders one after another; then in each round measures all of them in turn, so that what else the machine does meets all
 * alike. One that cannot start or fails is left out from then on, and `missing` says why.
 */
export async function inRounds<Peer extends { stop(): Promise<void> }, Figures>(
  contenders: readonly Contender<Peer>[],
  rounds: number,
  measure: (peer: Peer) => Promise<Figures>,
): Promise<Measured<Figures>[]> {
  const entries = [];
  for (const { name, start } of contenders) {
    say(`starting ${name} …`);
    const started = await settled(within(START_LIMIT_MS, start()));
    entries.push({
      name,
      figures: [] as Figures[],
      peer: 'value' in started ? started.value : null,
      missing: 'error' in started ? started.error : '',
    });
    if ('error' in started) say(`${name} is not measured: ${started.error}`);
  }
  for (let round = 1; round <= rounds; round++) {
    for (const entry of entries) {
      if (entry.peer === null || entry.missing !== '') continue;
      say(`round ${round} of ${rounds}: ${entry.name} …`);
      const measured = await settled(within(LIMIT_MS, measure(entry.peer)));
      if ('value' in measured) entry.figures.push(measured.value);
      else {
        entry.missing = measured.error;
        say(`${entry.name} is not measured: ${measured.error}`);
      }
    }
  }
  for (const { name, peer } of entries) {
    const stopped = await settled(within(LIMIT_MS, peer?.stop() ?? Promise.resolve()));
    if ('error' in stopped) say(`${name} did not stop: ${stopped.error}`);
  }
  return entries.map(({ name, figures, missing }) => (missing === '' ? { name, rounds: figures } : { name, missing }));
}

const say = (line: string): void => void process.stderr.write(`${line}\n`);

async function settled<T>(promise: Promise<T>): Promise<{ value: T } | { error: string }> {
  try {
    return { value: await promise };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

function within<T>(limitMs: number, promise: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`it took more than ${limitMs / 60_000} minutes`)), limitMs);
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
