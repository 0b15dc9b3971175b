import { type Output, print } from './screen.ts';

type Progress = {
  /** `label`: what is being done; `share`: how much of it is done, from 0 to 1. */
  update(label: string, share: number): void;
  /** Writes a line above the bar. */
  line(text: string): void;
  end(): void;
};

const BAR_WIDTH = 30;
const CLEAR = '\r\x1b[K';
const REDRAW_MS = 100;

/** Shows a bar that is redrawn in a terminal; elsewhere a line for each new label and each further ten percent. */
export function showProgress(output: Output): Progress {
  let shown = '';
  let drawnAt = 0;
  /** The text of the bar in the last line of the terminal. */
  let bar = '';
  const draw = (): void => {
    output.write(CLEAR);
    print(output, bar);
  };
  return {
    update(label, share) {
      const percent = Math.floor(Math.min(1, share) * 100);
      if (!output.isTTY) {
        const step = `${label}/${Math.floor(percent / 10)}`;
        if (step !== shown) print(output, `${label} ${percent} %\n`);
        shown = step;
        return;
      }
      const now = performance.now();
      if (share < 1 && now - drawnAt < REDRAW_MS) return;
      drawnAt = now;
      const filled = Math.round((percent / 100) * BAR_WIDTH);
      bar = `${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)} ${String(percent).padStart(3)} %  ${label}`;
      draw();
    },
    line(text) {
      if (bar !== '') output.write(CLEAR);
      print(output, `${text}\n${bar}`);
    },
    end() {
      if (bar !== '') output.write(CLEAR);
      bar = '';
    },
  };
}
