import type { FaultProxy, Passing } from './fault-proxy.ts';
import { until } from './machines.ts';

export type Hold = {
  /** Resolves when as many requests are held as were asked for. */
  reached: Promise<void>;
  /** Resolves when so many script calls other than the held ones were let through. */
  othersAnswered(count: number): Promise<unknown>;
  /** Lets everything pass, the held requests too. */
  release(): void;
};

/** Holds the requests that `matches` names; the first `answersLost` of them take effect, and their answers are cut. */
export function holdAt(proxy: FaultProxy, matches: (passing: Passing) => boolean, { answersLost = 0, held = 1 } = {}): Hold {
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  let seen = 0;
  let others = 0;
  proxy.decide(async (passing) => {
    if (!matches(passing)) {
      if (passing.method === 'POST' && passing.path.startsWith('/admin/api/customers/')) others += 1;
      return 'pass';
    }
    seen += 1;
    if (seen <= answersLost) return 'cut_after';
    if (seen >= answersLost + held) reached.resolve();
    await released.promise;
    return 'pass';
  });
  return {
    reached: reached.promise,
    othersAnswered: (count) => until(`${count} other calls came`, () => others >= count),
    release() {
      proxy.decide(() => 'pass');
      released.resolve();
    },
  };
}
