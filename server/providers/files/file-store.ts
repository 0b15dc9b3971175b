/** Stores the bytes of files, each under a key that the store makes. */
export type FileStore = {
  /** Opens a new file for writing. */
  draft(): Promise<Draft>;
  /** Opens a stored file; null if there is none under this key. `range`: only that part, which must not be empty. */
  open(key: string, range?: Range): Promise<Content | null>;
  /** Removes a file; it is not an error if there is none. */
  remove(key: string): Promise<void>;
  /** Keys of files that were stored before that time, in batches. */
  keysBefore(timeMs: number): AsyncIterable<string[]>;
  /** Removes drafts that were last written before that time: a crash left them behind. */
  removeDraftsBefore(timeMs: number): Promise<void>;
};

export type Range = { start: number; length: number };

export type Draft = {
  key: string;
  write(chunk: Buffer): Promise<void>;
  /** Makes the file readable under its key and durable against a power cut. */
  keep(): Promise<void>;
  /** Removes the file, also after `keep`. */
  discard(): Promise<void>;
};

/** An open file, which the caller must close. */
export type Content = {
  /** Size of the requested part, as far as it exists. */
  sizeBytes: number;
  /** The chunks in order. A chunk is valid only until the next one is requested, because its memory is used again. */
  chunks(): AsyncIterable<Buffer>;
  close(): Promise<void>;
};
