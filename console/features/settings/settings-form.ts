import { useQueryClient } from '@tanstack/react-query';
import type { SettingsPatch, ShopSettings } from '../../../contract/settings.ts';
import type { Tagged } from '../../api/client.ts';
import { useRecordForm } from '../../parts/record-form.ts';
import { calls, settingsRecord } from './queries.ts';

/**
 * A form over some of the settings. `valuesOf` picks them out of the record, `patchOf` makes the request of them; after 412 the
 * record is read again.
 */
export function useSettingsForm<V extends object>(
  { value, etag }: Tagged<ShopSettings>,
  valuesOf: (settings: ShopSettings) => V,
  patchOf: (values: V) => SettingsPatch,
) {
  const queries = useQueryClient();
  return useRecordForm({
    values: valuesOf(value),
    etag,
    send: (values, options) => calls.settings.update(patchOf(values), options),
    async reread() {
      const now = await queries.fetchQuery({ ...settingsRecord, staleTime: 0 });
      return { value: valuesOf(now.value), etag: now.etag };
    },
    // The frame shows the shop's name and zone, too.
    onSaved: () => void queries.invalidateQueries({ predicate: ({ queryKey: [name] }) => name === 'settings.get' || name === 'me.get' }),
  });
}
