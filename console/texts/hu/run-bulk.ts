import type { BulkAction } from '../../../contract/run-bulk.ts';
import { countText } from '../../language/formats.ts';
import type { RunBulkText } from '../run-bulk.ts';

const details: Record<BulkAction, (count: number) => string> = {
  cancel: (count) => `${countText(count)} futás leáll`,
  resume: (count) => `${countText(count)} futás folytatódik`,
  retry: (count) => `${countText(count)} futás újraindul, ugyanazzal a verzióval és paraméterekkel`,
  replay: (count) => `${countText(count)} futás visszajátszása elindul`,
};
const others: Record<BulkAction, string> = {
  cancel: 'már véget ért',
  resume: 'nem szakadt meg',
  retry: 'még tart, folytatták vagy visszajátszás',
  replay: 'még tart vagy nem rögzítették',
};
const ends: Record<BulkAction, string> = {
  cancel: ' Amit eddig írtak, megmarad.',
  resume: '',
  retry: ' Amit korábban írtak, újra megírják.',
  replay: ' A visszajátszás semmit sem módosít a webáruházban.',
};

export const runBulk: RunBulkText = {
  selected: (count) => `${countText(count)} kijelölve`,
  clear: 'Kijelölés törlése',
  close: 'Bezárás',
  back: 'Maradjanak így',
  open: 'Művelet mindegyiken…',
  all: 'Minden szűrt futás',
  everything: 'Minden feladat minden futása',
  action: 'A művelet',
  tooMany: 'Több mint 1000 találat van, vagy nem minden naplóban lehetett keresni. Előbb szűkítse a szűrőket.',
  acts: {
    cancel: {
      name: 'Leállítás',
      act: (count) => `${countText(count)} futás leállítása`,
      preview: (count) => `${countText(count)} futás még tart.`,
      none: 'Egyik sem tart már.',
      done: (count) => `${countText(count)} futás leállítva.`,
    },
    resume: {
      name: 'Folytatás',
      act: (count) => `${countText(count)} futás folytatása`,
      preview: (count) => `${countText(count)} futás szakadt meg.`,
      none: 'Egyik sem szakadt meg.',
      done: (count) => `${countText(count)} futás folytatva.`,
    },
    retry: {
      name: 'Futtatás újra',
      act: (count) => `${countText(count)} futás újraindítása`,
      preview: (count) => `${countText(count)} futás ért véget; mindegyik a saját verziójával és paramétereivel indul újra.`,
      none: 'Egyik sem ért véget.',
      done: (count) => `${countText(count)} futás újraindítva.`,
    },
    replay: {
      name: 'Visszajátszás',
      act: (count) => `${countText(count)} futás visszajátszása`,
      preview: (count) => `${countText(count)} futás van rögzítve.`,
      none: 'Egyik sincs rögzítve.',
      done: (count) => `${countText(count)} visszajátszás elindítva.`,
    },
  },
  detail: (act, count, rest) =>
    `${details[act](count)}${rest === 0 ? '' : `; a kijelöltek közül ${countText(rest)} ${others[act]}`}.${ends[act]}`,
  ends,
  more: (count) => `és még ${countText(count)}`,
  refused: (count) => `${countText(count)} futásnál nem volt lehetséges:`,
};
