import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { licenceOf } from './licences.ts';
import { ownManifest, type Shipped } from './shipped.ts';

/**
 * The bill of materials of the package, as CycloneDX 1.6. `cyclonedx-npm` knows what npm installs, and not what is in our files; so it is
 * written here, and checked against the schema that CycloneDX's own library has.
 */
export function sbomOf(packages: readonly Shipped[]): object {
  const { name, version, license, description } = ownManifest();
  const own = {
    type: 'application',
    'bom-ref': `pkg:npm/${name}@${version}`,
    name,
    version,
    description,
    purl: `pkg:npm/${name}@${version}`,
    licenses: [{ license: { id: license } }],
  };
  const components = merged(packages).map(componentOf);
  const bom = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: own },
    components,
    dependencies: [{ ref: own['bom-ref'], dependsOn: components.map((one) => one['bom-ref']) }],
  };
  // The same contents have the same number, so that the package can be built again to the byte.
  const hex = createHash('sha256').update(JSON.stringify(bom)).digest('hex');
  const serial = [hex.slice(0, 8), hex.slice(8, 12), `5${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-');
  return { $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json', ...bom, serialNumber: `urn:uuid:${serial}` };
}

type Merged = Shipped & { ways: string[] };

/** A package of one version may be in our files, and be installed beside them, too. */
function merged(packages: readonly Shipped[]): Merged[] {
  const by = new Map<string, Merged>();
  for (const one of packages) {
    const key = `${one.name}@${one.version}`;
    const known = by.get(key);
    const way = one.bundled ? 'bundled' : 'installed';
    if (!known) by.set(key, { ...one, ways: [way] });
    else if (!known.ways.includes(way))
      by.set(key, { ...known, optional: known.optional && one.optional, ways: [...known.ways, way].sort() });
  }
  return [...by.values()];
}

function componentOf(one: Merged) {
  const purl = `pkg:npm/${one.name.replace('@', '%40')}@${one.version}`;
  const licence = licenceOf(one);
  return {
    type: 'library',
    'bom-ref': purl,
    name: one.name,
    version: one.version,
    purl,
    scope: one.optional ? 'optional' : 'required',
    licenses: / (OR|AND) /.test(licence) ? [{ expression: licence }] : [{ license: { id: licence } }],
    ...(one.integrity !== null && { hashes: hashesOf(one.integrity) }),
    properties: one.ways.map((value) => ({ name: 'backroom:shipped', value })),
  };
}

/** The digest of the package as the registry has it. */
function hashesOf(integrity: string): { alg: string; content: string }[] {
  const [, digest = ''] = /^sha512-(\S+)$/.exec(integrity) ?? [];
  return digest === '' ? [] : [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }];
}

/** What the schema of CycloneDX says against the document; none if it is valid. */
export function faultsOfSbom(bom: unknown): string[] {
  const require = createRequire(import.meta.url);
  const folder = new URL('./res/schema/', `file://${require.resolve('@cyclonedx/cyclonedx-library/package.json')}`);
  const schema = (name: string) => JSON.parse(readFileSync(new URL(`${name}.SNAPSHOT.schema.json`, folder), 'utf8'));
  // No value of ours has these two formats.
  const ajv = new Ajv({ strict: false, allErrors: true, formats: { 'iri-reference': true, 'idn-email': true } });
  addFormats.default(ajv);
  for (const name of ['spdx', 'jsf-0.82']) ajv.addSchema(schema(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
  const validate = ajv.compile(schema('bom-1.6'));
  validate(bom);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
