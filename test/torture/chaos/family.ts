import { allStats, isRunning, type Stat, statOf } from '../../../runner/isolation/proc.ts';

/** Remembers all processes that descend from some, so that those that outlive them are found. */
export type Family = {
  /** Looks for new descendants of these processes. */
  look(pids: readonly number[]): void;
  /** The numbers of those that are alive. */
  alive(): number[];
};

export function openFamily(): Family {
  const known = new Map<string, Stat>();
  const isAlive = ({ pid, start }: Stat): boolean => {
    const now = statOf(pid);
    return isRunning(now) && now.start === start;
  };
  return {
    look(pids) {
      const all = allStats();
      const found = new Set(pids);
      for (let before = 0; before < found.size; ) {
        before = found.size;
        for (const { pid, parent } of all) if (found.has(parent)) found.add(pid);
      }
      for (const one of all) if (found.has(one.pid)) known.set(`${one.pid} ${one.start}`, one);
    },
    alive: () => [...known.values()].filter(isAlive).map(({ pid }) => pid),
  };
}
