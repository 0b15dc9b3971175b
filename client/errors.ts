/** The server could not be reached, or its answer did not arrive whole; a write may have been carried out. */
export class Unreachable extends Error {
  constructor(url: string, options: ErrorOptions) {
    super(`the server ${url} cannot be reached`, options);
    this.name = 'Unreachable';
  }
}

/** Answered, but not as a Backroom server does. */
export class NotBackroom extends Error {
  constructor(url: string, status: number) {
    super(`${url} answered ${status}, but not as a Backroom server does`);
    this.name = 'NotBackroom';
  }
}
