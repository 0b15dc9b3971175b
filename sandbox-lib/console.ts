/** Makes the `console` of scripts. Every method that shows values writes to the run's log. */
export function createConsole(log: (...values: unknown[]) => void): object {
  const counts = new Map<string, number>();
  const silent = (): void => {};
  return Object.freeze({
    log,
    info: log,
    warn: log,
    error: log,
    debug: log,
    trace: log,
    dir: (value: unknown) => log(value),
    table: (value: unknown) => log(value),
    group: log,
    groupCollapsed: log,
    groupEnd: silent,
    assert(condition: unknown, ...values: unknown[]): void {
      if (!condition) log('Assertion failed', ...values);
    },
    count(label: unknown = 'default'): void {
      const key = String(label);
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      log(`${key}: ${count}`);
    },
    countReset(label: unknown = 'default'): void {
      counts.delete(String(label));
    },
    time: silent,
    timeLog: silent,
    timeEnd: silent,
  });
}
