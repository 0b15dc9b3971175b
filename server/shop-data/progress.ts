export type Progress = {
  /** What is being done, and how far it is, from 0 to 1. */
  update(label: string, share: number): void;
  end(): void;
};

/** Says nothing. */
export const silent: Progress = { update: () => undefined, end: () => undefined };
