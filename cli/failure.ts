/** What the one who typed the command can put right; its message, of one line, says how. */
export class Failure extends Error {
  readonly exitCode: number = 1;
}

/** The command was typed wrongly: the message names what is accepted. */
export class UsageError extends Failure {
  override readonly exitCode = 2;
}
