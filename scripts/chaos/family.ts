import { readdirSync } from 'node:fs';
import { statFields } from '../../runner/isolation/proc.ts';

/** A process with the time of its start, because numbers of processes are given again. */
type Known = { pid: number; start: string };

const PARENT = 1;
const START = 19;

/** Remembers all processes that descend from some, so that those that outlive them are found. */
export type Family = {
  /** Looks for new descendants of these processes. */
  look(pids: readonly number[]): void;
  /** The numbers of those that are alive. */
  alive(): number[];
};

export function openFamily(): Family {
  const known = new Map<string, Known>();
  const isAlive = ({ pid, start }: Known): boolean => {
    const fields = statFields(pid);
    return fields !== null && fields[START] === start && fields[0] !== 'Z' && fields[0] !== 'X';
  };
  return {
    look(pids) {
      const all = readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name))
        .map(Number)
        .flatMap((pid) => {
          const fields = statFields(pid);
          return fields === null ? [] : [{ pid, parent: Number(fields[PARENT]), start: fields[START] ?? '' }];
        });
      const found = new Set(pids);
      for (let before = 0; before < found.size; ) {
        before = found.size;
        for (const { pid, parent } of all) if (found.has(parent)) found.add(pid);
      }
      for (const { pid, start } of all) if (found.has(pid)) known.set(`${pid} ${start}`, { pid, start });
    },
    alive: () => [...known.values()].filter(isAlive).map(({ pid }) => pid),
  };
}
