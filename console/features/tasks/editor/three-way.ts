import { diffArrays } from 'diff';
import { withLineFeeds } from '../../../../contract/source-text.ts';
import type { DraftValues } from './drafts.ts';

/** `conflicts`: the places that both have changed in different ways; there the own text is kept. */
export type Merged = DraftValues & { conflicts: number };

/** Joins what two have made of the same version: source line by line, permissions, grants and parameters one by one. */
export function mergeVersions(base: DraftValues, mine: DraftValues, theirs: DraftValues): Merged {
  const { text, conflicts } = mergeTexts(base.source, mine.source, theirs.source);
  return {
    source: text,
    permissions: mergeSets(base.permissions, mine.permissions, theirs.permissions),
    mail_to: mergeSets(base.mail_to, mine.mail_to, theirs.mail_to),
    http_allow: mergeSets(base.http_allow, mine.http_allow, theirs.http_allow),
    secrets: mergeSets(base.secrets, mine.secrets, theirs.secrets),
    may_start: mergeSets(base.may_start, mine.may_start, theirs.may_start),
    parameters: mergeParameters(base, mine, theirs),
    conflicts,
  };
}

export function mergeTexts(base: string, mine: string, theirs: string): { text: string; conflicts: number } {
  const [old, own, other] = [linesIn(base), linesIn(mine), linesIn(theirs)];
  const [inOwn, inOther] = [placesOf(old, own), placesOf(old, other)];
  const lines: string[] = [];
  let conflicts = 0;
  let from = { old: 0, own: 0, other: 0 };
  for (let at = 0; at <= old.length; at++) {
    const to = at === old.length ? { old: at, own: own.length, other: other.length } : stableAt(at, inOwn, inOther);
    if (!to) continue;
    const parts = [old.slice(from.old, to.old), own.slice(from.own, to.own), other.slice(from.other, to.other)] as const;
    const part = mergeParts(...parts);
    lines.push(...part.lines, ...old.slice(at, at + 1));
    if (part.isConflict) conflicts += 1;
    from = { old: to.old + 1, own: to.own + 1, other: to.other + 1 };
  }
  return { text: lines.join('\n'), conflicts };
}

/** As the editor has them, which gets the result. */
function linesIn(source: string): string[] {
  return withLineFeeds(source).split('\n');
}

/** Where each line of the old text stands in the new one; -1: nowhere. */
function placesOf(old: readonly string[], now: readonly string[]): number[] {
  const places: number[] = [];
  let at = 0;
  for (const { added, removed, value } of diffArrays([...old], [...now])) {
    if (added) at += value.length;
    else for (const _ of value) places.push(removed ? -1 : at++);
  }
  return places;
}

/** A line that neither has touched separates what comes before it from what comes after it. */
function stableAt(at: number, inOwn: readonly number[], inOther: readonly number[]) {
  const [own = -1, other = -1] = [inOwn[at], inOther[at]];
  return own < 0 || other < 0 ? null : { old: at, own, other };
}

function mergeParts(
  old: readonly string[],
  own: readonly string[],
  other: readonly string[],
): { lines: readonly string[]; isConflict: boolean } {
  const [before, mine, theirs] = [old, own, other].map((lines) => lines.join('\n'));
  if (mine === before && own.length === old.length) return { lines: other, isConflict: false };
  const isSame = mine === theirs || (theirs === before && other.length === old.length);
  return { lines: own, isConflict: !isSame };
}

function mergeSets<T>(base: readonly T[], mine: readonly T[], theirs: readonly T[]): T[] {
  const kept = theirs.filter((one) => mine.includes(one) || !base.includes(one));
  const added = mine.filter((one) => !base.includes(one) && !kept.includes(one));
  return [...kept, ...added];
}

function mergeParameters(base: DraftValues, mine: DraftValues, theirs: DraftValues): DraftValues['parameters'] {
  const names = [...new Set([...theirs.parameters, ...mine.parameters].map(({ name }) => name))];
  return names.flatMap((name) => {
    const [before, own, other] = [base, mine, theirs].map(({ parameters }) => parameters.find((one) => one.name === name));
    const chosen = JSON.stringify(own) === JSON.stringify(before) ? other : own;
    return chosen ? [chosen] : [];
  });
}
