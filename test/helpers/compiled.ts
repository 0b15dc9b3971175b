import { fileURLToPath } from 'node:url';

/** The folder of Node's cache of compiled modules. With it, a process starts in half the time. */
export const COMPILED = fileURLToPath(new URL('../../node_modules/.cache/backroom/compiled', import.meta.url));
