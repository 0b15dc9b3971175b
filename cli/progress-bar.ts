type Progress = {
  /** What is being done, and how far it is, from 0 to 1. */
  update(label: string, share: number): void;
  end(): void;
};

type Output = { isTTY?: boolean; write(text: string): unknown };

const BAR_WIDTH = 30;

/** A bar that redraws itself in a terminal; elsewhere a line at each new label and each tenth. */
export function showProgress(output: Output): Progress {
  let shown = '';
  let drawnAt = 0;
  let drawn = false;
  return {
    update(label, share) {
      const percent = Math.floor(Math.min(1, share) * 100);
      if (!output.isTTY) {
        const step = `${label}/${Math.floor(percent / 10)}`;
        if (step !== shown) output.write(`${label} ${percent} %\n`);
        shown = step;
        return;
      }
      const now = performance.now();
      if (share < 1 && now - drawnAt < 100) return;
      drawnAt = now;
      drawn = true;
      const filled = Math.round((percent / 100) * BAR_WIDTH);
      output.write(`\r\x1b[K${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)} ${String(percent).padStart(3)} %  ${label}`);
    },
    end() {
      if (drawn) output.write('\r\x1b[K');
    },
  };
}
