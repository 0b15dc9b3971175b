export type Progress = {
  /** `label`: the current step; `share`: how much of the step is done, from 0 to 1. */
  update(label: string, share: number): void;
  end(): void;
};

/** Reports no progress. */
export const silent: Progress = { update: () => undefined, end: () => undefined };
