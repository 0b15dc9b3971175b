/** Where the bytes of files are, each under a key of the store's own making. */
export type FileStore = {
  /** A place to write to. */
  draft(): Promise<Draft>;
  /** null: nothing is kept under this key. */
  open(key: string): Promise<Content | null>;
  /** Fine also where nothing is kept. */
  remove(key: string): Promise<void>;
  /** Keys of what was kept before that time, in handy numbers. */
  keysBefore(timeMs: number): AsyncIterable<string[]>;
  /** Drafts that nobody has written to since then were given up by a crash. */
  removeDraftsBefore(timeMs: number): Promise<void>;
};

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
  sizeBytes: number;
  /** From the start; a chunk is good until the next one is asked for, because its memory is used again. */
  chunks(): AsyncIterable<Buffer>;
  close(): Promise<void>;
};
