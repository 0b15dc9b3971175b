import { countText } from '../../language/formats.ts';
import type { SecretsText } from '../secrets.ts';

const shared = {
  shop: 'Minden feladat',
  find: 'Csak ehhez a feladathoz',
  by: 'Beállította',
  changed: 'Módosítva',
  namePlaceHint: 'Kisbetűk, számjegyek és _, betűvel kezdve.',
};

export const secrets: SecretsText = {
  secrets: {
    title: 'Titkos kulcsok',
    count: (total) => `${countText(total)} titkos kulcs`,
    search: 'Név vagy host',
    empty:
      'Még nincs titkos kulcs. A kulcsot a kiszolgáló illeszti be a feladatok kéréseibe; sem szkript, sem admin, sem napló nem látja soha.',
    create: 'Új titkos kulcs',
    removal: 'A kiszolgáló mostantól elutasítja azokat a futásokat, amelyeknek szükségük van rá.',
    ...shared,
    nameHint: shared.namePlaceHint,
    valueHint: 'Tárolása titkosított, és többé nem jelenik meg.',
    replaceHint: 'A tárolt értéket senki sem olvashatja el. Üresen hagyva megmarad; új hosthoz az értéket is újra meg kell adni.',
    hostsHint: 'Ahová a kiszolgáló elküldheti, például api.example.com vagy host:port; több is megadható, vesszővel elválasztva.',
    use: 'Szkriptben',
    used: 'Utoljára használva',
    neverUsed: 'még nem',
    fields: { name: 'Név', task_id: 'Használhatja', value: 'Érték', newValue: 'Új érték', hosts: 'Hostok', note: 'Megjegyzés' },
  },
  variables: {
    title: 'Változók',
    count: (total) => `${countText(total)} változó`,
    search: 'Név vagy megjegyzés',
    empty: 'Még nincs változó. A változó olyan érték, amelyet az adminok állítanak be, és a feladatok szkriptjei olvasnak.',
    create: 'Új változó',
    removal: 'Az ezt olvasó szkriptek ezután a minden feladathoz megadottat kapják, vagy semmit.',
    ...shared,
    nameHint: shared.namePlaceHint,
    valueHint: 'JSON: idézőjeles szöveg, szám, true, lista vagy objektum. A futásokban mindenki láthatja, aki a kimenetüket látja.',
    use: 'Szkriptben',
    fields: { name: 'Név', task_id: 'Használhatja', value: 'Érték', note: 'Megjegyzés' },
  },
};
