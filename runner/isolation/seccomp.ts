import { CLONE, CLONE3, NEWEST_KNOWN, refusedSyscalls } from './syscalls.ts';

/** The supported architectures: AUDIT_ARCH_… of linux/audit.h and the column in syscalls.ts. */
const MACHINES = {
  x64: { audit: 0xc000003e, column: 0 },
  arm64: { audit: 0xc00000b7, column: 1 },
} as const;

/** The filter for an architecture (`process.arch`) as struct sock_filter[]; null where the architecture is not supported. */
export function seccompFilter(arch: string): Buffer | null {
  if (arch !== 'x64' && arch !== 'arm64') return null;
  return assemble(program(MACHINES[arch]));
}

/** Offsets in struct seccomp_data, little-endian. */
const NUMBER = 0;
const ARCH = 4;
const FIRST_ARGUMENT = 16;

const KILL_PROCESS = 0x80000000;
const ALLOW = 0x7fff0000;
const refuseWith = (errno: number): number => 0x00050000 | errno;
const EPERM = 1;
const ENOSYS = 38;

const CLONE_THREAD = 0x00010000;
/** CLONE_NEW… flags: time, mount, cgroup, uts, ipc, user, pid and net. */
const NEW_NAMESPACES = 0x80 | 0x00020000 | 0x02000000 | 0x04000000 | 0x08000000 | 0x10000000 | 0x20000000 | 0x40000000;

/** One instruction. A jump names the step to go to; where its condition does not hold, the next step follows. */
type Step =
  | { load: number }
  | { unless: 'equal' | 'bits'; value: number; goTo: string }
  | { when: 'equal' | 'above' | 'bits'; value: number; goTo: string }
  | { answer: number; name?: string };

/** All system calls but the refused ones are allowed, because V8 and libc use different calls from version to version. */
function program({ audit, column }: (typeof MACHINES)[keyof typeof MACHINES]): Step[] {
  const refused = Object.values(refusedSyscalls).flatMap((numbers) => numbers[column] ?? []);
  return [
    { load: ARCH },
    { unless: 'equal', value: audit, goTo: 'kill' },
    { load: NUMBER },
    // These are calls newer than the list in syscalls.ts, and the numbers of the x32 interface, which all are higher.
    { when: 'above', value: NEWEST_KNOWN, goTo: 'unknown' },
    // The flags of clone3 are in memory, which a filter cannot read. After ENOSYS libc uses clone instead.
    { when: 'equal', value: CLONE3, goTo: 'unknown' },
    ...refused.map((value): Step => ({ when: 'equal', value, goTo: 'refuse' })),
    { unless: 'equal', value: CLONE[column], goTo: 'allow' },
    // clone may make threads, but no processes and no namespaces.
    { load: FIRST_ARGUMENT },
    { unless: 'bits', value: CLONE_THREAD, goTo: 'refuse' },
    { when: 'bits', value: NEW_NAMESPACES, goTo: 'refuse' },
    { name: 'allow', answer: ALLOW },
    { name: 'refuse', answer: refuseWith(EPERM) },
    { name: 'unknown', answer: refuseWith(ENOSYS) },
    { name: 'kill', answer: KILL_PROCESS },
  ];
}

/** Opcodes of classic BPF (linux/filter.h): load a word, jump if equal / greater / any bit set, return. */
const OPCODES = { load: 0x20, equal: 0x15, above: 0x25, bits: 0x45, answer: 0x06 };
const STEP_BYTES = 8;

function assemble(steps: readonly Step[]): Buffer {
  const code = Buffer.alloc(steps.length * STEP_BYTES);
  steps.forEach((step, at) => {
    const distance = 'goTo' in step ? steps.findIndex((other) => 'name' in other && other.name === step.goTo) - at - 1 : 0;
    if (distance < 0 || distance > 255) throw new RangeError(`the filter cannot jump from step ${at}`);
    if ('load' in step) write(code, at, OPCODES.load, 0, 0, step.load);
    else if ('answer' in step) write(code, at, OPCODES.answer, 0, 0, step.answer);
    else if ('when' in step) write(code, at, OPCODES[step.when], distance, 0, step.value);
    else write(code, at, OPCODES[step.unless], 0, distance, step.value);
  });
  return code;
}

function write(code: Buffer, at: number, opcode: number, ifTrue: number, ifFalse: number, value: number): void {
  const start = at * STEP_BYTES;
  code.writeUInt16LE(opcode, start);
  code.writeUInt8(ifTrue, start + 2);
  code.writeUInt8(ifFalse, start + 3);
  code.writeUInt32LE(value >>> 0, start + 4);
}
