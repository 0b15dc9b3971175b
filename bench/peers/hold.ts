/** Something that is open until it is closed. */
export type Held<T> = { value: T; close(): Promise<void> };

/** Turns a function that opens something, lends it to `work` and closes it, into one that keeps it open until `close`. */
export async function hold<T>(lend: (work: (value: T) => Promise<void>) => Promise<void>): Promise<Held<T>> {
  const opened = Promise.withResolvers<T>();
  const released = Promise.withResolvers<void>();
  const closed = lend(async (value) => {
    opened.resolve(value);
    await released.promise;
  });
  closed.catch(opened.reject);
  return {
    value: await opened.promise,
    async close() {
      released.resolve();
      await closed;
    },
  };
}
