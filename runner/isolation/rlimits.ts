/** Data segment of at most 1.5 GiB (automation.md §8: below it no isolate starts). */
export const DATA_MAX_KIB = 1_572_864;
/**
 * Longer than any run may compute. The daemon's own watch ends runs long before; a worker that has worked hard serves no
 * other run.
 */
const CPU_MAX_SECONDS = 3900;
/** Node opens some twenty. */
const FILES_MAX = 128;

/** Whoever answers goes before whoever computes: the server and the daemon before workers. */
const WORKER_NICE = 3;

/**
 * For `sh -c`: takes on the limits and becomes the command that follows. No core dumps, no file may be written. `env -i`
 * since shells add something of their own to an empty environment.
 */
export const WITH_LIMITS = [
  `ulimit -d ${DATA_MAX_KIB}`,
  'ulimit -c 0',
  'ulimit -f 0',
  `ulimit -n ${FILES_MAX}`,
  `ulimit -t ${CPU_MAX_SECONDS}`,
  `exec nice -n ${WORKER_NICE} env -i "$@"`,
].join(' && ');
