/** Where the bytes of files are, each under a key of the store's own making. */
export type FileStore = {
  /** A place to write to. */
  draft(): Promise<Draft>;
  /** null: nothing is kept under this key. `range`: only that part of it, which must not be empty. */
  open(key: string, range?: Range): Promise<Content | null>;
  /** Fine also where nothing is kept. */
  remove(key: string): Promise<void>;
  /** Keys of what was kept before that time, in handy numbers. */
  keysBefore(timeMs: number): AsyncIterable<string[]>;
  /** Drafts that nobody has written to since then were given up by a crash. */
  removeDraftsBefore(timeMs: number): Promise<void>;
};

export type Range = { start: number; length: number };

export type Draft = {
  key: string;
  write(chunk: Buffer): Promise<void>;
  /** From now on it can be read under its key, and a power cut does not lose it. */
  keep(): Promise<void>;
  /** As if it had never been; fine also after `keep`. */
  discard(): Promise<void>;
};

/** An open file, to be closed by whoever asked for it. */
export type Content = {
  /** Of what was asked for, as far as it is there. */
  sizeBytes: number;
  /** In order; a chunk is good until the next one is asked for, because its memory is used again. */
  chunks(): AsyncIterable<Buffer>;
  close(): Promise<void>;
};
