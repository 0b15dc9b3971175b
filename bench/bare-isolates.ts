import ivm from 'isolated-vm';

/** Child process of run-cpu.ts: makes isolates with a context, one after another; prints the CPU time that one takes, in ms. */
const [count = '1'] = process.argv.slice(2);

function makeOne(): void {
  const isolate = new ivm.Isolate({ memoryLimit: 128 });
  isolate.createContextSync().evalSync('1');
  isolate.dispose();
}

for (let i = 0; i < Number(count); i++) makeOne();
const before = process.cpuUsage();
for (let i = 0; i < Number(count); i++) makeOne();
const { user, system } = process.cpuUsage(before);
process.stdout.write(`${(user + system) / 1000 / Number(count)}\n`);
process.exit();
