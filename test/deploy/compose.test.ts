import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { refusedSyscalls } from '../../runner/isolation/syscalls.ts';
import { RUNNER_VARIABLES } from '../../runner/variables.ts';
import { readConfig, SERVER_VARIABLES } from '../../server/config.ts';
import { isWithin } from '../../server/process/networks.ts';
import { readSeccompProfile, readYaml } from '../helpers/deployment.ts';
import { dockerImage, dockerStages } from '../helpers/dockerfile.ts';

/** deploy/compose.yaml: what each service may do and reach. `docker compose config` needs Docker; this does not. */

const folder = fileURLToPath(new URL('../../deploy', import.meta.url));
const exampleEnv = readFileSync(join(folder, 'example.env'), 'utf8');

const Service = z.object({
  image: z.string(),
  build: z.object({ context: z.literal('..'), target: z.string() }).optional(),
  user: z.string().optional(),
  read_only: z.boolean(),
  cap_drop: z.array(z.string()),
  cap_add: z.array(z.string()).default([]),
  security_opt: z.array(z.string()),
  environment: z.record(z.string(), z.string()),
  networks: z.array(z.string()),
  ports: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  tmpfs: z.array(z.string()),
  depends_on: z.record(z.string(), z.object({ condition: z.literal('service_healthy') })).default({}),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
  stop_grace_period: z.string().optional(),
});
const Compose = z.object({
  services: z.object({ postgres: Service, server: Service, runner: Service, proxy: Service }).catchall(Service),
  networks: z.record(
    z.string(),
    z.object({ internal: z.boolean().default(false), ipam: z.object({ config: z.array(z.object({ subnet: z.string() })) }).optional() }),
  ),
  volumes: z.record(z.string(), z.object({})),
});

const { services, networks, volumes } = Compose.parse(readYaml('deploy/compose.yaml')[0]);
const all = Object.entries(services);

test('no service has a capability that it does not need, a writable root, or a way to gain a right', () => {
  for (const [name, service] of all) {
    assert.deepEqual([service.read_only, service.cap_drop, service.security_opt[0]], [true, ['ALL'], 'no-new-privileges:true'], name);
    assert.deepEqual(service.cap_add, name === 'proxy' ? ['NET_BIND_SERVICE'] : [], name);
  }
});

test('server and runner are built from targets of the Dockerfile that are not root', () => {
  for (const part of ['server', 'runner'] as const) {
    const { build, user } = services[part];
    assert.ok(dockerStages().some(({ name }) => name === build?.target));
    assert.notEqual(dockerImage(build?.target ?? '').user, null);
    assert.equal(user, undefined, 'the image has its user');
    for (const path of services[part].volumes.map((mount) => mount.split(':')[1]))
      assert.equal(path, dockerImage(part).env.get('DATA_DIR'), 'what it writes is in a volume');
  }
});

test('only the proxy is reached from outside, and only the servers and the proxy have a way out; runners reach servers alone', () => {
  assert.deepEqual(
    all.filter(([, { ports }]) => ports.length > 0).map(([name]) => name),
    ['proxy'],
  );
  for (const port of services.proxy.ports)
    assert.match(port, /^\$\{HTTPS?_PORT:-127\.0\.0\.1:\d+\}:\d+$/, 'by default, this machine alone');
  const neighbours = (name: string): string[] => {
    const own = services[name]?.networks ?? [];
    return all.filter(([other, { networks: theirs }]) => other !== name && theirs.some((one) => own.includes(one))).map(([other]) => other);
  };
  assert.deepEqual(neighbours('runner'), ['server']);
  assert.deepEqual(neighbours('postgres'), ['server']);
  assert.deepEqual(neighbours('proxy'), ['server']);
  const waysOut = all.filter(([, service]) => service.networks.some((name) => !networks[name]?.internal)).map(([name]) => name);
  assert.deepEqual(waysOut, ['server', 'proxy']);
});

test('the servers believe the addresses that come through the proxy, and no others', () => {
  const subnet = networks['front']?.ipam?.config[0]?.subnet;
  assert.equal(services.server.environment['TRUSTED_PROXIES'], subnet);
  const { trustedProxies } = readConfig({ TRUSTED_PROXIES: subnet });
  assert.ok(isWithin(trustedProxies, '172.30.87.2') && !isWithin(trustedProxies, '172.30.88.2'));
});

test('each variable is one that the part reads, and none holds a secret of its own', () => {
  const known: Record<'server' | 'runner', readonly string[]> = { server: SERVER_VARIABLES, runner: RUNNER_VARIABLES };
  for (const part of ['server', 'runner'] as const) {
    for (const [name, value] of Object.entries(services[part].environment)) {
      assert.ok(known[part].includes(name), `${part}: ${name}`);
      if (/TOKEN|KEY|SECRET|PASSWORD|DATABASE_URL/.test(name)) assert.match(value, /\$\{[A-Z_0-9]+(:[?-][^}]*)?\}/, name);
    }
  }
  assert.deepEqual(
    Object.keys(services.runner.environment).filter((name) => /SECRET|DATABASE|KEY|ADMIN/.test(name)),
    [],
  );
});

test('example.env names each variable of the file, with no value for a secret', () => {
  const text = readFileSync(join(folder, 'compose.yaml'), 'utf8');
  const used = new Set([...text.matchAll(/\$\{([A-Z0-9_]+)/g)].flatMap(([, name = '']) => name));
  const optional = ['SERVER_IMAGE', 'RUNNER_IMAGE', 'RUNNER_MEMORY', 'DATABASE_POOL', 'LOG_LEVEL'];
  const lines = exampleEnv.split('\n').flatMap((line) => /^#? ?([A-Z0-9_]+)=(.*)$/.exec(line)?.slice(1, 3) ?? []);
  const named = lines.filter((_, n) => n % 2 === 0);
  assert.deepEqual([...used].filter((name) => !named.includes(name)).sort(), optional.sort());
  for (const name of named) assert.ok(used.has(name), `${name} is used nowhere`);
  const needed = [...text.matchAll(/\$\{([A-Z0-9_]+):\?/g)].map(([, name]) => name);
  assert.deepEqual(needed.sort(), ['BOOTSTRAP_ADMIN_TOKEN', 'POSTGRES_PASSWORD', 'RUNNER_TOKEN', 'SECRETS_KEY']);
  for (const name of needed) assert.match(exampleEnv, new RegExp(`^${name}=$`, 'm'));
});

test('each part starts when what it needs is healthy', () => {
  assert.deepEqual(Object.keys(services.server.depends_on), ['postgres']);
  assert.deepEqual(Object.keys(services.runner.depends_on), ['server']);
  assert.deepEqual(Object.keys(services.proxy.depends_on), ['server']);
  for (const part of ['postgres', 'proxy'] as const) assert.ok(services[part].healthcheck);
  for (const part of ['server', 'runner'] as const) assert.ok(dockerImage(part).last('HEALTHCHECK'));
  for (const [, { volumes: mounts }] of all)
    for (const [source = ''] of mounts.map((mount) => mount.split(':')))
      assert.ok(source.startsWith('.') ? existsSync(join(folder, source)) : volumes[source], source);
});

test('the runner can make its sandbox: an executable /tmp, and the profile that allows namespaces and refuses the rest', () => {
  assert.match(services.runner.tmpfs[0] ?? '', /^\/tmp:exec,/);
  const option = services.runner.security_opt.find((one) => one.startsWith('seccomp:'));
  assert.ok(existsSync(join(folder, option?.slice('seccomp:'.length) ?? '')));
  assert.ok(services.runner.security_opt.includes('apparmor:unconfined'));
  const { defaultAction, syscalls } = readSeccompProfile();
  assert.equal(defaultAction, 'SCMP_ACT_ALLOW');
  assert.deepEqual(
    syscalls.map(({ action, errnoRet }) => [action, errnoRet]),
    [['SCMP_ACT_ERRNO', 1]],
  );
  /** What the runner and the program that makes the sandbox need, of all that a worker is refused. */
  const needed = new Set(
    `fork vfork mount umount2 pivot_root chroot unshare setns socket socketpair connect bind listen accept accept4 sethostname
    pidfd_open memfd_create personality`.split(/\s+/),
  );
  assert.deepEqual(
    syscalls.flatMap(({ names }) => names).sort(),
    Object.keys(refusedSyscalls)
      .filter((name) => !needed.has(name))
      .sort(),
  );
});
