import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { bwrapCommand } from '../../runner/isolation/bwrap.ts';
import { chooseIsolation, findTools } from '../../runner/isolation/choose.ts';
import { FILTER_FD } from '../../runner/isolation/launch.ts';
import { seccompFilter } from '../../runner/isolation/seccomp.ts';
import { CLONE, CLONE3, refusedSyscalls } from '../../runner/isolation/syscalls.ts';
import { preludeFile } from '../../runner/prelude.ts';

/** The filter of system calls (spec SB6), executed by an interpreter of its instructions and by the kernel itself. */

const ALLOW = 0x7fff0000;
const EPERM = 0x00050001;
const ENOSYS = 0x00050026;
const KILL = 0x80000000;
const machines = [
  { arch: 'x64', audit: 0xc000003e, other: 0x40000003, column: 0, needed: [0, 1, 9, 10, 13, 56, 59, 202, 228, 231, 257, 302, 318, 334] },
  { arch: 'arm64', audit: 0xc00000b7, other: 0x40000028, column: 1, needed: [56, 63, 64, 93, 94, 98, 113, 214, 222, 226, 278] },
] as const;
const THREAD = 0x003d0f00;

for (const { arch, audit, other, column, needed } of machines) {
  const filter = seccompFilter(arch);
  assert.ok(filter);
  const answer = (number: number, first = THREAD, machine: number = audit): number => run(filter, { number, machine, first });

  test(`SB6, ${arch}: the filter refuses each forbidden call and allows what Node needs`, () => {
    for (const [name, numbers] of Object.entries(refusedSyscalls)) {
      const number = numbers[column];
      if (number !== null) assert.equal(answer(number), EPERM, name);
    }
    for (const number of needed) assert.equal(answer(number), ALLOW, String(number));
  });

  test(`SB6, ${arch}: threads can be made, processes and namespaces cannot; clone3 seems not to exist`, () => {
    assert.equal(answer(CLONE[column], THREAD), ALLOW);
    for (const flags of [0x11, 0x4111, 0x10000000 | 0x11]) assert.equal(answer(CLONE[column], flags), EPERM);
    for (const bit of [0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000, 0x80]) {
      assert.equal(answer(CLONE[column], THREAD | bit), EPERM, bit.toString(16));
    }
    assert.equal(answer(CLONE3), ENOSYS);
  });

  test(`SB6, ${arch}: a call of another architecture kills the process; an unknown call seems not to exist`, () => {
    assert.equal(answer(1, THREAD, other), KILL);
    for (const number of [463, 999, 0x40000001, 0xffffffff]) assert.equal(answer(number), ENOSYS);
  });
}

test('SB6: an unknown architecture gets no filter', () => {
  assert.equal(seccompFilter('riscv64'), null);
});

/** Executes classic BPF as the kernel does, with the instructions that the filter uses. */
function run(code: Buffer, { number, machine, first }: { number: number; machine: number; first: number }): number {
  const data = new Map([
    [0, number],
    [4, machine],
    [16, first],
  ]);
  let accumulator = 0;
  for (let at = 0; at < code.length / 8; at += 1) {
    const opcode = code.readUInt16LE(at * 8);
    const value = code.readUInt32LE(at * 8 + 4);
    const jump = (taken: boolean): number => code.readUInt8(at * 8 + (taken ? 2 : 3));
    if (opcode === 0x06) return value;
    if (opcode === 0x20) {
      const word = data.get(value);
      assert.ok(word !== undefined, `the filter reads offset ${value}`);
      accumulator = word >>> 0;
    } else if (opcode === 0x15) at += jump(accumulator === value);
    else if (opcode === 0x25) at += jump(accumulator > value);
    else if (opcode === 0x45) at += jump((accumulator & value) !== 0);
    else assert.fail(`opcode ${opcode}`);
  }
  return assert.fail('the filter has no end');
}

const { bwrap } = findTools();

test('SB6: the kernel refuses these calls to a program that runs in the place of Node', async (t) => {
  if (bwrap === null) {
    const { missing, worker } = await chooseIsolation({ preludePath: await preludeFile() });
    worker?.kill();
    return assert.match(missing.find(({ layer }) => layer === 'seccomp')?.why ?? '', /bwrap is not installed/);
  }
  if (process.arch !== 'x64') return t.diagnostic(`the program that makes the calls is for x64, this is ${process.arch}`);
  const refused = Object.entries(refusedSyscalls).flatMap(([name, [number]]) =>
    number === null ? [] : [{ name, number, first: 0, expected: -1 }],
  );
  const calls = [
    ...refused,
    { name: 'a process by clone', number: CLONE[0], first: 0x11, expected: -1 },
    { name: 'a user namespace by clone', number: CLONE[0], first: 0x10000011, expected: -1 },
    { name: 'clone3', number: CLONE3, first: 0, expected: -38 },
    { name: 'getpid by x32', number: 0x40000027, first: 0, expected: -38 },
    { name: 'getuid', number: 102, first: 0, expected: 65534 },
  ];
  const { output } = await runInstead(t, bwrap, elfThatCalls(calls));
  assert.deepEqual(
    calls.map(({ name }, i) => [name, Number(output.readBigInt64LE(i * 16))]),
    calls.map(({ name, expected }) => [name, expected]),
  );
  const getpid32 = elf(Buffer.from('b814000000cd8031ffb83c0000000f05', 'hex'));
  const killed = await runInstead(t, bwrap, getpid32);
  // A kernel without a 32-bit entry ends such a program by itself, also without the filter.
  const expected = endWithoutFilter(t, getpid32) === 'SIGSEGV' ? 128 + SIGSEGV : 128 + SIGSYS;
  assert.equal(killed.code, expected, 'getpid through the 32-bit entry of the kernel must end the program by a signal');
});

const SIGSEGV = 11;
const SIGSYS = 31;

function endWithoutFilter(t: TestContext, program: Buffer): NodeJS.Signals | null {
  const folder = mkdtempSync(join(tmpdir(), 'backroom-program-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'program'), program, { mode: 0o755 });
  return spawnSync(join(folder, 'program')).signal;
}

async function runInstead(t: TestContext, bwrapPath: string, program: Buffer): Promise<{ output: Buffer; code: number | null }> {
  const folder = mkdtempSync(join(tmpdir(), 'backroom-seccomp-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const [root, node, filter] = [join(folder, 'root'), join(folder, 'program'), join(folder, 'filter')] as const;
  mkdirSync(root);
  writeFileSync(join(root, 'node'), '');
  writeFileSync(node, program, { mode: 0o755 });
  writeFileSync(filter, seccompFilter(process.arch) ?? '');
  for (const path of [folder, root]) chmodSync(path, 0o755);
  const [command = '', ...rest] = bwrapCommand(bwrapPath, { root, node, filter }, FILTER_FD, []);
  const fd = openSync(filter, 'r');
  const child = spawn(command, rest, { env: {}, stdio: ['ignore', 'pipe', 'inherit', 'ignore', fd] });
  closeSync(fd);
  const chunks: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
  const [code] = await once(child, 'close');
  return { output: Buffer.concat(chunks), code };
}

/** A program that makes each call with one argument and writes a table of the results and arguments. */
function elfThatCalls(calls: readonly { number: number; first: number }[]): Buffer {
  const table = Buffer.alloc((calls.length + 1) * 16);
  calls.forEach(({ number, first }, i) => {
    table.writeBigInt64LE(BigInt(number), i * 16);
    table.writeBigInt64LE(BigInt(first), i * 16 + 8);
  });
  table.writeBigInt64LE(-1n, calls.length * 16);
  const code = Buffer.concat([
    Buffer.from('488d1d00000000', 'hex'), // lea rbx, [table]
    Buffer.from('488b03', 'hex'), // next: mov rax, [rbx]
    Buffer.from('4883f8ff7420', 'hex'), // cmp rax, -1; je done
    Buffer.from('488b7b08', 'hex'), // mov rdi, [rbx + 8]
    Buffer.from('31f631d24d31d24d31c04d31c9', 'hex'), // the other arguments: 0
    Buffer.from('0f05', 'hex'), // syscall
    Buffer.from('4889034883c310ebd5', 'hex'), // mov [rbx], rax; add rbx, 16; jmp next
    Buffer.from('90909090', 'hex'),
    Buffer.from('b801000000bf01000000488d3500000000ba00000000', 'hex'), // done: write(1, table, …)
    Buffer.from('0f05b83c00000031ff0f05', 'hex'), // exit(0)
  ]);
  const done = code.indexOf(Buffer.from('b801000000bf01000000', 'hex'));
  code.writeInt8(done - 16, 15);
  code.writeInt32LE(code.length - 7, 3);
  code.writeInt32LE(code.length - (done + 17), done + 13);
  code.writeInt32LE(calls.length * 16, done + 18);
  code.writeInt8(7 - (code.indexOf(Buffer.from('eb', 'hex'), 30) + 2), code.indexOf(Buffer.from('eb', 'hex'), 30) + 1);
  return elf(Buffer.concat([code, table]));
}

/** An ELF file with one segment that may be read, written and executed, and begins with the code. */
function elf(code: Buffer): Buffer {
  const HEADERS = 64 + 56;
  const BASE = 0x400000;
  const header = Buffer.alloc(HEADERS);
  header.write('\x7fELF', 'latin1');
  header.set([2, 1, 1], 4);
  header.writeUInt16LE(2, 16); // an executable
  header.writeUInt16LE(62, 18); // for x86_64
  header.writeUInt32LE(1, 20);
  header.writeBigUInt64LE(BigInt(BASE + HEADERS), 24); // starts after the headers
  header.writeBigUInt64LE(64n, 32);
  header.writeUInt16LE(64, 52);
  header.writeUInt16LE(56, 54);
  header.writeUInt16LE(1, 56);
  header.writeUInt32LE(1, 64); // a segment to load
  header.writeUInt32LE(7, 68);
  header.writeBigUInt64LE(BigInt(BASE), 80);
  header.writeBigUInt64LE(BigInt(BASE), 88);
  const size = BigInt(HEADERS + code.length);
  header.writeBigUInt64LE(size, 96);
  header.writeBigUInt64LE(size, 104);
  header.writeBigUInt64LE(0x1000n, 112);
  return Buffer.concat([header, code]);
}
