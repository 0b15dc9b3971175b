/** The data segment may have 1.5 GiB; with less no isolate starts (spec SB5). */
export const DATA_MAX_KIB = 1_572_864;
/**
 * More CPU time than any run may use: the daemon's watchdog ends a run before. A worker that has computed much serves no other
 * run, so the times of several runs do not add up.
 */
const CPU_MAX_SECONDS = 3900;
/** Node opens about twenty files. */
const FILES_MAX = 128;

/** Workers have a lower priority than the server and the daemon, so that these answer quickly while scripts compute. */
const WORKER_NICE = 3;

/**
 * A script for `sh -c` that sets the limits (no core dumps, no writing of files) and then becomes the command that follows.
 * `env -i` is needed because shells add variables to an empty environment.
 */
export const WITH_LIMITS = [
  `ulimit -d ${DATA_MAX_KIB}`,
  'ulimit -c 0',
  'ulimit -f 0',
  `ulimit -n ${FILES_MAX}`,
  `ulimit -t ${CPU_MAX_SECONDS}`,
  `exec nice -n ${WORKER_NICE} env -i "$@"`,
].join(' && ');
