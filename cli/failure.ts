/** An error that the user of the command line can correct; the message says how, in one line. */
export class Failure extends Error {
  readonly exitCode: number = 1;
}

/** The command line was wrong; the message names what is accepted. */
export class UsageError extends Failure {
  override readonly exitCode = 2;
}
