/**
 * Fetches the code of parts that are not shown yet, each in a chunk of its own made by `lazyRouteComponent`, so that they are there
 * when somebody opens them. React shows what takes the place of a part that is still on its way for 300 ms at least.
 */
export function fetchAhead(...parts: readonly { preload?: () => Promise<void> | undefined }[]): void {
  for (const { preload } of parts) void preload?.();
}
