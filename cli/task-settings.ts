import { z } from 'zod';
import { defaultTaskSettings, LimitsChange, Retry, TaskSettings } from '../contract/tasks.ts';

const { error_handler: _, ...shape } = TaskSettings.shape;

/**
 * The settings that a task's file may name; those that it does not name stay as they are on the server. `error_handler` is not among
 * them, since it names a task by its id on one server.
 */
export const FileSettings = z
  .strictObject({
    ...shape,
    limits: LimitsChange.strict(),
    retry: Retry.partial().strict(),
    concurrency: shape.concurrency.partial().strict(),
  })
  .partial();
export type FileSettings = z.infer<typeof FileSettings>;

/** The settings for a task's file: those that differ from the defaults, and those that the file names already; undefined if none. */
export function settingsForFile(
  { error_handler: _handler, ...settings }: TaskSettings,
  named: FileSettings = {},
): FileSettings | undefined {
  const chosen = choose(settings, defaultTaskSettings, named);
  return Object.keys(chosen).length === 0 ? undefined : FileSettings.parse(chosen);
}

/** Whether the task has every setting as the file names it. */
export function hasSettings(settings: TaskSettings, named: FileSettings = {}): boolean {
  return has(settings, named);
}

type Values = Readonly<Record<string, unknown>>;

function choose(all: Values, defaults: Values, named: Values): Values {
  const chosen = Object.entries(all).flatMap(([key, value]) => {
    if (!isGroup(value)) return key in named || !isSame(value, defaults[key]) ? [[key, value] as const] : [];
    const inner = choose(value, groupOf(defaults[key]), groupOf(named[key]));
    return Object.keys(inner).length === 0 ? [] : [[key, inner] as const];
  });
  return Object.fromEntries(chosen);
}

function has(all: Values, named: Values): boolean {
  return Object.entries(named).every(([key, value]) => (isGroup(value) ? has(groupOf(all[key]), value) : isSame(value, all[key])));
}

function isGroup(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function groupOf(value: unknown): Values {
  return isGroup(value) ? value : {};
}

/** A limit that a file names as null is one that the task does not have. */
function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
}
