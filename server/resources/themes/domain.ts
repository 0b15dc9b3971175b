import type { InputOf } from '../../../contract/endpoint.ts';
import type { Theme, themesList } from '../../../contract/themes.ts';
import { fold } from '../../../contract/values.ts';
import { changesBetween, given, noteChanged, noteCreated, noteDeleted } from '../../changes.ts';
import type { Ctx } from '../../context.ts';
import { rowVersion } from '../../db/row-version.ts';
import { listPage } from '../../pages.ts';
import { notFound, Refusal } from '../../problem.ts';
import type { RecordVersions } from '../../record-versions.ts';
import { touchAllPages } from '../pages/domain.ts';
import { addMissingTemplates, holdTemplates } from '../templates/domain.ts';
import * as store from './store.ts';

export const recordVersions: RecordVersions = { theme: rowVersion('themes') };

export function listThemes(ctx: Ctx, query: InputOf<typeof themesList>['query']) {
  return listPage(query, { name: 'name_folded', type: 'text' }, store.themes(ctx, fold(query.search ?? '')));
}

export async function getTheme(ctx: Ctx, id: number): Promise<Theme> {
  const theme = await store.selectTheme(ctx.db, id);
  if (!theme) throw notFound('theme', id);
  return theme;
}

export async function createTheme(ctx: Ctx, name: string): Promise<Theme> {
  const theme = await store.insertTheme(ctx.db, { name, created_at: ctx.now });
  noteCreated(ctx, 'theme', { id: theme.id, name }, name);
  return theme;
}

export async function updateTheme(ctx: Ctx, id: number, patch: { name?: string | undefined }): Promise<Theme> {
  const theme = await lock(ctx, id);
  const wanted = given(patch);
  const changes = changesBetween(theme, wanted);
  if (Object.keys(changes).length > 0) await store.updateTheme(ctx.db, id, wanted);
  noteChanged(ctx, 'theme', id, changes);
  return { ...theme, ...wanted };
}

export async function deleteTheme(ctx: Ctx, id: number): Promise<undefined> {
  await holdTemplates(ctx);
  const theme = await lock(ctx, id);
  if (theme.active) throw new Refusal('theme_active', 'The shop is shown in this theme: activate another one first.');
  await store.deleteTheme(ctx.db, id);
  noteDeleted(ctx, 'theme', { id, name: theme.name }, theme.name);
}

/** Every page then shows its template of this theme (decisions.md P7). */
export async function activateTheme(ctx: Ctx, id: number): Promise<Theme> {
  const { activeThemeId } = await holdTemplates(ctx);
  const theme = await lock(ctx, id);
  if (!theme.active) {
    await store.updateTheme(ctx.db, activeThemeId, { active: false });
    await store.updateTheme(ctx.db, id, { active: true });
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

async function lock(ctx: Ctx, id: number): Promise<Theme> {
  const theme = await store.lockTheme(ctx, id);
  if (!theme) throw notFound('theme', id);
  return theme;
}
