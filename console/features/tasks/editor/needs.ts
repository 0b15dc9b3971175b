import facts from 'virtual:task-facts';
import { permissionUses } from '../../../../contract/permission-uses.ts';
import type { useMay } from '../../../parts/shop.ts';
import type { DraftValues } from './drafts.ts';

export type Needs = { permissions: string[]; http_allow: string[]; secrets: string[] };

const METHODS_WITHOUT_NAME = new Set(['GET', 'HEAD']);
/** So far behind the start of a request its method and address are looked for. */
const REQUEST_MAX = 2000;

/** What the text of the source names and the draft does not declare yet. What is made while the script runs cannot be seen. */
export function needsOf({ source, permissions, http_allow, secrets }: DraftValues, may: ReturnType<typeof useMay>): Needs {
  const held = new Set<string>([...permissions, ...permissions.map((one) => one.replace(/write$/, 'read'))]);
  const open = new Set(permissionUses(source, facts.needs).map(({ needs }) => needs));
  const missing: string[] = facts.permissions.filter((one) => open.has(one) && !held.has(one) && may(one));
  return {
    // Who may write may read.
    permissions: missing.filter((one) => !(one.endsWith('read') && missing.includes(one.replace(/read$/, 'write')))),
    http_allow: http_allow.some((line) => line.trim() !== '') ? [] : requestsIn(source),
    secrets: namesIn(source).filter((name) => !secrets.includes(name)),
  };
}

export function isNothing({ permissions, http_allow, secrets }: Needs): boolean {
  return permissions.length + http_allow.length + secrets.length === 0;
}

function namesIn(source: string): string[] {
  return [...new Set([...source.matchAll(/\bsecret\(\s*(['"`])([a-z][a-z0-9_]*)\1\s*\)/g)].map(([, , name = '']) => name))];
}

/** The requests whose address stands in the source, each as an entry of `http_allow`; up to where an address goes on with a value. */
function requestsIn(source: string): string[] {
  const starts = [...source.matchAll(/\bhttp\s*\.\s*request\s*\(/g)].map(({ index }) => index);
  const found = starts.flatMap((start, n) => {
    const call = source.slice(start, Math.min(starts[n + 1] ?? source.length, start + REQUEST_MAX));
    const [, , url = ''] = /\burl\s*:\s*(['"`])(https:\/\/[^'"`\s]+)\1/.exec(call) ?? [];
    const [, , method = 'GET'] = /\bmethod\s*:\s*(['"`])([A-Z]+)\1/.exec(call) ?? [];
    const entry = entryOf(url);
    return entry === null ? [] : [METHODS_WITHOUT_NAME.has(method) ? entry : `${method} ${entry}`];
  });
  return [...new Set(found)];
}

function entryOf(url: string): string | null {
  const [path = ''] = url.split(/[?#]/);
  const [fixed = '', ...values] = path.split('${');
  // A value in the name of the host would allow every host.
  if (!/^https:\/\/[^/]+(\/|$)/.test(fixed) || (values.length > 0 && !/^https:\/\/[^/]+\//.test(fixed))) return null;
  if (values.length > 0) return `${fixed.slice(0, fixed.lastIndexOf('/') + 1)}*`;
  return /^https:\/\/[^/]+$/.test(fixed) ? `${fixed}/` : fixed;
}
