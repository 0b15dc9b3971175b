import { z } from 'zod';
import { type CheckedDraft, TypeFault } from '../../contract/task-drafts.ts';
import type { ParameterDeclaration } from '../../contract/tasks.ts';
import { createSideProcess } from '../process/side-thread.ts';

/** null: this installation has no TypeScript. */
const Answer = z.object({ faults: z.array(TypeFault), needed: z.array(z.string()) }).nullable();

type Script = { source: string; permissions: readonly string[]; parameters: readonly ParameterDeclaration[] };
/** `needed`: the permissions that the calls of the script need. */
export type CheckedTypes = { faults: TypeFault[]; needed: string[]; unchecked: CheckedDraft['unchecked'] };
export type TypeChecker = { check(script: Script): Promise<CheckedTypes>; close(): Promise<void> };

/** An honest script takes a tenth of a second, and 1 MiB of it some seconds. Its declarations alone take 150 MB. */
const LIMITS = { timeoutMs: 20_000, memoryMb: 384, idleMs: 30_000 };

/** Checks the types of scripts with the TypeScript of the console's editor, in a process of its own, which ends when it is idle. */
export function createTypeChecker(limits: Partial<typeof LIMITS> = {}): TypeChecker {
  const { timeoutMs, memoryMb, idleMs } = { ...LIMITS, ...limits };
  const side = createSideProcess(new URL('./process.ts', import.meta.url), { timeoutMs, memoryMb, idleMs });
  return {
    check: async (script) => {
      const answer = await side.ask(script);
      if (answer.failed) return not(`they take more than ${timeoutMs / 1000} seconds or ${memoryMb} MB`);
      const found = Answer.parse(answer.result);
      return found === null ? not('the console, whose TypeScript does it, is not built here') : { ...found, unchecked: null };
    },
    close: side.close,
  };
}

function not(why: string): CheckedTypes {
  return { faults: [], needed: [], unchecked: `The types were not checked: ${why}.` };
}
