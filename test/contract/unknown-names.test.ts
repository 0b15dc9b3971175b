import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpointList } from '../../contract/index.ts';
import { unknownFieldsOf, unknownParameter } from '../../server/calls/input/unknown-names.ts';
import {
  alternatives,
  itemsOf,
  type Json,
  type Place,
  places,
  type Schema,
  sample,
  schemaOf,
  withValue,
} from '../torture/bad-input/samples.ts';

const UNKNOWN = 'zzqx_unheard';

test('G6: at every object of every body an unknown field is refused, but where the names are free', () => {
  let looked = 0;
  for (const endpoint of endpointList) {
    if (!endpoint.body) continue;
    const root = schemaOf(endpoint.body);
    const whole = sample(root, () => undefined, true);
    const find = unknownFieldsOf(endpoint);
    for (const { path } of [{ path: [] }, ...places(root).filter((place) => isClosed(root, place))]) {
      const pointer = [...path, UNKNOWN].map((key) => `/${key}`).join('');
      const found = find(withValue(ofKindsWith(root, whole, path), [...path, UNKNOWN], 1));
      assert.ok(
        found.some((item) => item.pointer === pointer && item.code === 'unknown_field'),
        `${endpoint.id}: ${pointer} is taken: ${JSON.stringify(found)}`,
      );
      looked += 1;
    }
  }
  assert.ok(looked > 150, String(looked));
});

test('G8: every operation refuses an unknown query parameter, and one of its own with a slip is named', () => {
  for (const { id, query } of endpointList) {
    const known = new Map(Object.entries(query?.shape ?? {}));
    assert.equal(unknownParameter(UNKNOWN, known)?.code, 'unknown_parameter', id);
    for (const name of known.keys()) {
      const typo = `${name}z`;
      if (known.has(typo)) continue;
      assert.match(unknownParameter(typo, known)?.detail ?? '', /the nearest known one is /, `${id} ${typo}`);
    }
  }
});

/** The body with the kinds of objects that have this place, where a member tells of which kind an object is. */
function ofKindsWith(root: Schema, whole: Json, path: Place['path']): Json {
  let schema = root;
  return path.reduce<Json>((body, key, depth) => {
    const kind = alternatives(root, schema).find(({ properties, items }) => (typeof key === 'number' ? items : properties?.[key]));
    const inside = typeof key === 'number' ? kind && itemsOf(kind) : kind?.properties?.[key];
    schema = typeof inside === 'object' ? inside : {};
    const constants = Object.entries(kind?.properties ?? {}).flatMap(([name, one]) =>
      typeof one === 'object' && typeof one.const === 'string' ? [[name, one.const] as const] : [],
    );
    return constants.reduce((made, [name, value]) => withValue(made, [...path.slice(0, depth), name], value), body);
  }, whole);
}

/** An object whose members are declared: what takes any JSON or any name has no unknown ones. */
function isClosed(root: Schema, { schema }: Place): boolean {
  return alternatives(root, schema).every((one) => one.type === 'object' && one.properties !== undefined && !hasFreeNames(one));
}

function hasFreeNames({ additionalProperties }: Schema): boolean {
  return additionalProperties !== undefined && additionalProperties !== false;
}
