import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useMay } from '../../parts/shop.ts';
import type { Entry } from './commands.ts';

type Index = typeof import('../../parts/settings-index.ts');

/** The settings that the admin may see, each leading to its field. Their texts are loaded with the palette, not with the first page. */
export function useSettings(): Entry[] {
  const may = useMay();
  const { history } = useRouter();
  const [index, setIndex] = useState<Index | null>(null);
  useEffect(() => {
    void import('../../parts/settings-index.ts').then(setIndex);
  }, []);
  if (index === null) return [];
  const sections = index.sectionsFor(may);
  return index.allSettings
    .filter(({ section }) => sections.includes(section))
    .map((setting) => ({
      id: `${setting.section} ${setting.field ?? ''}`,
      name: setting.name,
      note: setting.field === undefined ? '' : index.sectionName(setting.section),
      also: `${setting.also} ${setting.hint}`,
      act: () => history.push(index.pathOf(setting)),
    }));
}
