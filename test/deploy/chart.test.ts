import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Ajv } from 'ajv';
import { z } from 'zod';
import { readConfig as readRunnerConfig } from '../../runner/config.ts';
import { RUNNER_VARIABLES } from '../../runner/variables.ts';
import { readConfig, SERVER_VARIABLES } from '../../server/config.ts';
import { CHART, chartCases, chartDigest } from '../../tools/chart-digest.ts';
import { readYaml } from '../helpers/deployment.ts';
import { dockerImage } from '../helpers/dockerfile.ts';

/**
 * deploy/helm/backroom: what Helm makes of the chart, in the cases beside the rendered files (`npm run render:chart` makes these). Where Helm
 * is installed, or named by HELM, it is asked again.
 */

const Probe = z.object({
  httpGet: z.object({ path: z.string(), port: z.literal('http') }).optional(),
  exec: z.object({ command: z.array(z.string()) }).optional(),
  periodSeconds: z.int(),
  failureThreshold: z.int().optional(),
});
const Container = z.object({
  name: z.string(),
  image: z.string(),
  env: z.array(z.object({ name: z.string(), value: z.string().optional(), valueFrom: z.unknown().optional() })),
  envFrom: z.array(
    z.object({ configMapRef: z.object({ name: z.string() }).optional(), secretRef: z.object({ name: z.string() }).optional() }),
  ),
  ports: z.array(z.object({ containerPort: z.int() })).default([]),
  startupProbe: Probe,
  livenessProbe: Probe,
  readinessProbe: Probe,
  securityContext: z.unknown(),
  volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })),
});
const Pod = z.object({
  automountServiceAccountToken: z.boolean(),
  enableServiceLinks: z.boolean(),
  securityContext: z.record(z.string(), z.unknown()),
  terminationGracePeriodSeconds: z.int(),
  containers: z.tuple([Container]),
  volumes: z.array(z.looseObject({ name: z.string() })),
});
const Deployment = z.object({
  spec: z.object({
    replicas: z.int().optional(),
    template: z.object({ metadata: z.object({ labels: z.record(z.string(), z.string()) }), spec: Pod }),
  }),
});
const Peer = z.object({
  podSelector: z.object({ matchLabels: z.record(z.string(), z.string()) }).optional(),
  namespaceSelector: z.object({ matchLabels: z.record(z.string(), z.string()) }).optional(),
  ipBlock: z.object({ cidr: z.string(), except: z.array(z.string()).default([]) }).optional(),
});
const Ports = z.array(z.object({ protocol: z.string(), port: z.int() }));
const NetworkPolicy = z.object({
  spec: z.object({
    podSelector: z.object({ matchLabels: z.record(z.string(), z.string()) }),
    policyTypes: z.array(z.string()),
    ingress: z.array(z.object({ from: z.array(Peer), ports: Ports })).default([]),
    egress: z.array(z.object({ to: z.array(Peer), ports: Ports.optional() })),
  }),
});
const Named = z.looseObject({ kind: z.string(), metadata: z.looseObject({ name: z.string() }) });
const ConfigMap = z.object({ data: z.record(z.string(), z.string()) });

const partOf = (labels: Record<string, string> | undefined): string | undefined => labels?.['app.kubernetes.io/component'];

for (const one of chartCases()) {
  describe(`the chart with ${one.name} values`, () => {
    const objects = readYaml(one.rendered).map((value) => Named.parse(value));
    const find = <T>(kind: string, name: string, shape: z.ZodType<T>): T =>
      shape.parse(objects.find((object) => object.kind === kind && object.metadata.name === name) ?? assert.fail(`no ${kind} ${name}`));
    const deployment = (part: string) => find('Deployment', `shop-backroom-${part}`, Deployment);
    const podOf = (part: string) => deployment(part).spec.template.spec;
    const config = (part: string) => find('ConfigMap', `shop-backroom-${part}`, ConfigMap).data;
    const policy = (part: string) => find('NetworkPolicy', `shop-backroom-${part}`, NetworkPolicy).spec;

    test('what Helm made of it is of the chart as it is', () => {
      const [first = ''] = readFileSync(one.rendered, 'utf8').split('\n', 1);
      assert.equal(first, `# Made by npm run render:chart of ${chartDigest(one)}`, 'the chart has changed since: npm run render:chart');
    });

    test('Helm finds no fault, and makes the same of it', { skip: !hasHelm() && 'Helm is not installed (HELM names it)' }, () => {
      const lint = runHelm(['lint', CHART, '--strict', '--values', one.values]);
      assert.equal(lint.status, 0, lint.stdout + lint.stderr);
      const { stdout } = runHelm(['template', 'shop', CHART, '--namespace', 'shop', '--values', one.values]);
      assert.deepEqual(parsed(stdout), parsed(readFileSync(one.rendered, 'utf8')));
    });

    test('each part runs as the user of its image, without any right, on a read-only root', () => {
      for (const part of ['server', 'runner'] as const) {
        const { containers, securityContext, ...pod } = podOf(part);
        const [uid, gid] = dockerImage(part).user?.split(':').map(Number) ?? [];
        assert.deepEqual([securityContext['runAsNonRoot'], securityContext['runAsUser'], securityContext['runAsGroup']], [true, uid, gid]);
        assert.deepEqual(containers[0].securityContext, {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        assert.deepEqual([pod.automountServiceAccountToken, pod.enableServiceLinks], [false, false]);
        const mounts = containers[0].volumeMounts.map(({ mountPath }) => mountPath);
        assert.deepEqual(mounts, part === 'server' ? ['/data', '/tmp'] : ['/tmp'], 'what it writes is in a volume');
      }
      assert.deepEqual(podOf('server').securityContext['seccompProfile'], { type: 'RuntimeDefault' });
      assert.deepEqual(podOf('runner').securityContext['seccompProfile'], { type: 'Localhost', localhostProfile: 'backroom/runner.json' });
    });

    test('each variable is one that the part reads, and the configuration is valid; a runner gets one secret', () => {
      const known: Record<'server' | 'runner', readonly string[]> = { server: SERVER_VARIABLES, runner: RUNNER_VARIABLES };
      for (const part of ['server', 'runner'] as const) {
        const names = [...podOf(part).containers[0].env.map(({ name }) => name), ...Object.keys(config(part))];
        assert.deepEqual(
          names.filter((name) => !known[part].includes(name)),
          [],
        );
      }
      const given = (part: string) =>
        Object.fromEntries(podOf(part).containers[0].env.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])));
      const secrets = { FILES_S3_ACCESS_KEY_ID: 'x', FILES_S3_SECRET_ACCESS_KEY: 'x' };
      const server = readConfig({ ...given('server'), ...config('server'), ...secrets });
      assert.deepEqual([server.host, server.port, server.dataDir], ['0.0.0.0', 8787, '/data']);
      const runner = readRunnerConfig({ RUNNER_TOKEN: 'x', ...given('runner'), ...config('runner') });
      assert.ok(!('problem' in runner), JSON.stringify(runner));
      const service = objects.find(({ kind, metadata }) => kind === 'Service' && metadata.name === 'shop-backroom-server');
      assert.ok(service);
      assert.deepEqual([runner.serverUrl, runner.healthPort], ['http://shop-backroom-server:8787', 8788]);
      assert.deepEqual(runner.isolationRequired.join(), dockerImage('runner').env.get('RUNNER_ISOLATION_REQUIRED'));
      const [container] = podOf('runner').containers;
      assert.deepEqual(
        container.env.filter(({ valueFrom }) => valueFrom !== undefined).map(({ name }) => name),
        ['RUNNER_TOKEN'],
      );
      assert.ok(container.envFrom.every(({ secretRef }) => secretRef === undefined));
    });

    test('the probes ask what each part answers', () => {
      const [server] = podOf('server').containers;
      assert.deepEqual(
        [server.startupProbe, server.livenessProbe, server.readinessProbe].map(({ httpGet }) => httpGet?.path),
        ['/healthz', '/healthz', '/readyz'],
      );
      assert.equal(server.startupProbe.periodSeconds * (server.startupProbe.failureThreshold ?? 0), 1800);
      assert.deepEqual(server.ports, [{ containerPort: Number(dockerImage('server').last('EXPOSE')) }]);
      const [runner] = podOf('runner').containers;
      const port = dockerImage('runner').env.get('RUNNER_HEALTH_PORT');
      assert.deepEqual(
        [runner.startupProbe, runner.livenessProbe, runner.readinessProbe].map(({ exec }) => exec?.command),
        ['/healthz', '/healthz', '/readyz'].map((path) => ['node', 'ops/healthy.js', port, path]),
      );
      // The runner takes 25 s to stop, and the server 10.
      assert.ok(podOf('runner').terminationGracePeriodSeconds >= 30 && podOf('server').terminationGracePeriodSeconds >= 20);
    });

    test('a runner reaches the servers and DNS alone, and nothing reaches a runner', () => {
      const { podSelector, policyTypes, ingress, egress } = policy('runner');
      assert.deepEqual([partOf(podSelector.matchLabels), policyTypes, ingress], ['runner', ['Ingress', 'Egress'], []]);
      const [dns, servers, ...others] = egress;
      assert.equal(others.length, 0);
      assert.deepEqual(dns?.ports, [
        { protocol: 'UDP', port: 53 },
        { protocol: 'TCP', port: 53 },
      ]);
      assert.ok(dns.to.length > 0 && dns.to.every(({ ipBlock }) => ipBlock === undefined));
      assert.deepEqual(
        servers?.to.map((peer) => [partOf(peer.podSelector?.matchLabels), peer.namespaceSelector]),
        [['server', undefined]],
      );
      assert.deepEqual(servers?.ports, [{ protocol: 'TCP', port: 8787 }]);
      for (const part of ['server', 'runner']) {
        const { labels } = deployment(part).spec.template.metadata;
        for (const [name, value] of Object.entries(policy(part).podSelector.matchLabels)) assert.equal(labels[name], value);
      }
    });

    test('only the servers reach PostgreSQL and the internet, which is no address of the house', () => {
      const { ingress, egress } = policy('server');
      assert.deepEqual(
        ingress.map(({ ports }) => ports),
        [[{ protocol: 'TCP', port: 8787 }]],
      );
      assert.ok(ingress[0]?.from.every(({ podSelector, namespaceSelector }) => podSelector ?? namespaceSelector));
      const [, postgres, internet] = egress;
      assert.deepEqual(postgres?.ports, [{ protocol: 'TCP', port: 5432 }]);
      assert.ok(postgres.to.every(({ podSelector }) => podSelector));
      assert.deepEqual(
        internet?.to.map(({ ipBlock }) => ipBlock?.cidr),
        ['0.0.0.0/0', '::/0'],
      );
      for (const range of ['10.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16', '127.0.0.0/8'])
        assert.ok(internet?.to[0]?.ipBlock?.except.includes(range), range);
      assert.ok(internet?.to[1]?.ipBlock?.except.includes('fc00::/7'));
    });
  });
}

test('the autoscalers set the number of pods where they are on, and the number of runners follows the open runs', () => {
  const objects = readYaml(chartCases().find(({ name }) => name === 'everything')?.rendered ?? '').map((value) => Named.parse(value));
  for (const object of objects.filter(({ kind }) => kind === 'Deployment')) assert.equal(Deployment.parse(object).spec.replicas, undefined);
  const Scaled = z.object({
    spec: z.object({
      scaleTargetRef: z.object({ name: z.string() }),
      triggers: z.tuple([z.object({ metadata: z.object({ query: z.string(), threshold: z.string() }) })]),
    }),
  });
  const { spec } = Scaled.parse(objects.find(({ kind }) => kind === 'ScaledObject'));
  assert.equal(spec.scaleTargetRef.name, 'shop-backroom-runner');
  assert.equal(
    spec.triggers[0].metadata.query,
    'max(backroom_queue_depth{namespace="shop"}) + max(backroom_claims_open{namespace="shop"})',
  );
  const slots = ConfigMap.parse(objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name.endsWith('-runner')));
  assert.equal(spec.triggers[0].metadata.threshold, slots.data['RUNNER_SLOTS']);
  for (const kind of ['HorizontalPodAutoscaler', 'Ingress', 'ServiceMonitor']) assert.ok(objects.some((object) => object.kind === kind));
  assert.equal(objects.filter(({ kind }) => kind === 'PodDisruptionBudget').length, 2);
});

test('values.schema.json accepts the default values, and refuses what is none: an unknown value, a secret among the variables', () => {
  const schema: object = z.looseObject({}).parse(JSON.parse(readFileSync(join(CHART, 'values.schema.json'), 'utf8')));
  const validate = new Ajv({ allErrors: true, strict: false }).compile(schema);
  const [values] = readYaml(join(CHART, 'values.yaml'));
  assert.ok(validate(values), JSON.stringify(validate.errors));
  const wrong: object[] = [
    { nothing: 1 },
    { server: { config: { DATABASE_URL: 'postgres://user:password@host/shop' } } },
    { server: { config: { log_level: 'info' } } },
    { server: { config: { DATABASE_POOL: 10 } } },
    { runner: { slots: 65 } },
    { runner: { isolationRequired: ['walls'] } },
    { image: { pullPolicy: 'Sometimes' } },
  ];
  for (const one of wrong) assert.equal(validate(one), false, JSON.stringify(one));
});

function runHelm(args: readonly string[]) {
  return spawnSync(process.env['HELM'] || 'helm', args, { encoding: 'utf8' });
}

function hasHelm(): boolean {
  return runHelm(['version']).status === 0;
}

const parsed = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n');
