import type { Theme } from '../../../contract/themes.ts';
import { noteCreated, noteDeleted } from '../../verbs/changes.ts';
import type { Ctx } from '../../verbs/context.ts';
import { Refusal } from '../../verbs/problem.ts';
import { changeRecord, lockRecord } from '../../verbs/record-verbs.ts';
import type { RecordVersions } from '../../verbs/record-versions.ts';
import { touchAllPages } from '../pages/domain.ts';
import { addMissingTemplates, holdTemplates } from '../templates/domain.ts';
import { setActive, themes } from './store.ts';

export const recordVersions = { theme: themes.version } satisfies RecordVersions;

export async function createTheme(ctx: Ctx, name: string): Promise<Theme> {
  const theme = await themes.insert(ctx.db, { name, active: false, created_at: ctx.now });
  noteCreated(ctx, 'theme', { id: theme.id, name }, name);
  return theme;
}

export async function updateTheme(ctx: Ctx, id: number, patch: { name?: string | undefined }): Promise<Theme> {
  return changeRecord(ctx, themes, await lockRecord(ctx, themes, id), patch);
}

export async function deleteTheme(ctx: Ctx, id: number): Promise<undefined> {
  await holdTemplates(ctx);
  const theme = await lockRecord(ctx, themes, id);
  if (theme.active) throw new Refusal('theme_active', 'This theme is the active one, so it cannot be deleted: activate another one first.');
  await themes.remove(ctx.db, id);
  noteDeleted(ctx, 'theme', { id, name: theme.name }, theme.name);
}

/** Makes a theme the active one; every page then shows its template in this theme (spec P7). */
export async function activateTheme(ctx: Ctx, id: number): Promise<Theme> {
  const { activeThemeId } = await holdTemplates(ctx);
  const theme = await lockRecord(ctx, themes, id);
  if (!theme.active) {
    await setActive(ctx.db, activeThemeId, false);
    await setActive(ctx.db, id, true);
    await addMissingTemplates(ctx, id);
    await touchAllPages(ctx);
  }
  ctx.audit({
    resource: { type: 'theme', id },
    changes: theme.active ? {} : { active_theme_id: [activeThemeId, id] },
    summary: `Theme ${id} "${theme.name}" ${theme.active ? 'was active already' : 'activated'}`,
  });
  return { ...theme, active: true };
}
