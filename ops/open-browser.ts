import { spawn } from 'node:child_process';

/** The program that opens an address in the browser of whoever works at this machine; null where there is no screen to show it on. */
function opener(): readonly string[] | null {
  if (process.platform === 'darwin') return ['open'];
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY'] ? ['xdg-open'] : null;
}

/** What a browser needs; the shop's secrets stand in the environment, too. */
const OF_DESKTOP =
  /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_\w+|TMPDIR|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|XDG_\w+|DBUS_\w+|DESKTOP_SESSION|KDE_\w+|GNOME_\w+|BROWSER|SystemRoot|USERPROFILE|APPDATA|LOCALAPPDATA|TEMP)$/i;

/** Opens the address in the browser; false where there is none. */
export function openBrowser(url: string): boolean {
  const [program, ...args] = opener() ?? [];
  if (program === undefined) return false;
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => OF_DESKTOP.test(name)));
  const child = spawn(program, [...args, url], { env, stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
  return true;
}
