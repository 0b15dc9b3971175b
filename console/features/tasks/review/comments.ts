import { useQueries, useQuery } from '@tanstack/react-query';
import { diffLines } from '../../../../contract/line-diff.ts';
import type { VersionComment } from '../../../../contract/version-comments.ts';
import { taskComments, type VersionDetail, versionRecord } from '../queries.ts';

/** What is said about one line: the first comment, then its answers. `line`: where it stands in the version that is shown. */
export type Thread = { first: VersionComment; answers: VersionComment[]; line: number };

/**
 * The threads of a version, and those of versions before it that are open and whose line still stands in it. Where nothing has been read yet,
 * there are none.
 */
export function useThreads(taskId: number, version: VersionDetail): { threads: readonly Thread[]; error: Error | null } {
  const comments = useQuery(taskComments(taskId));
  const all = threadsOf(comments.data ?? []);
  const earlier = all.filter(({ first }) => first.version < version.version && first.resolved_at === null);
  const ids = [...new Set(earlier.map(({ first }) => first.version_id))];
  const sources = useQueries({ queries: ids.map((id) => versionRecord(taskId, id)) });
  const placed = ids.flatMap((id, at) => {
    const source = sources[at]?.data?.source_code;
    if (source === undefined) return [];
    const lines = linesThatStay(source, version.source_code);
    return earlier
      .filter(({ first }) => first.version_id === id)
      .flatMap((thread) => {
        const line = lines.get(thread.line);
        return line === undefined ? [] : [{ ...thread, line }];
      });
  });
  const own = all.filter(({ first }) => first.version_id === version.id);
  return { threads: [...placed, ...own], error: comments.error };
}

function threadsOf(comments: readonly VersionComment[]): Thread[] {
  const threads = Map.groupBy(comments, ({ thread_id }) => thread_id);
  return [...threads.values()].flatMap(([first, ...answers]) => (first ? [{ first, answers, line: first.line }] : []));
}

/** Where the lines of one source stand in another one that has them still. */
function linesThatStay(before: string, after: string): Map<number, number> {
  const same = diffLines(before, after).flatMap(({ before: was, after: is }) => (was === null || is === null ? [] : [[was, is] as const]));
  return new Map(same);
}
