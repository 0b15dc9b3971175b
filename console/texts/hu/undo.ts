import { countText } from '../../language/formats.ts';
import { az } from '../../language/hungarian-article.ts';
import type { UndoText } from '../undo.ts';

const file = 'A fájl tartalma is törlődött. Töltse fel újra a fájlt.';
const signal = 'A jelzésre váró futás már továbbment vele. Vonja vissza, amit az a futás tett.';

export const undo: UndoText = {
  act: 'Visszavonás…',
  selected: (count) => `${countText(count)} módosítás kiválasztva`,
  clear: 'Kijelölés törlése',
  ask: {
    title: (run) => `Visszavonja, amit ${az(`${run}.`)} futás tett?`,
    titleSome: (count, run) => `Visszavonja ${az(`${run}.`)} futás ${countText(count)} módosítását?`,
    detail: 'Először egy terv készül, amely semmit sem változtat meg. Megmutatja, mi állna vissza, és mit változtattak meg azóta mások.',
    together: 'Amit egy hívás írt, az együtt vonható vissza.',
    what: 'Amit visszavon',
    run: (run) => `Amit ${az(`${run}.`)} futás tett`,
    lineage: 'Azt is, amit a futás előzményei és folytatásai tettek',
    make: 'Terv készítése',
  },
  plan: {
    of: (run) => `Ezzel visszavonná, amit ${az(`${run}.`)} futás tett.`,
    chosen: (count, all) => `${countText(all)} írásból ${countText(count)} kiválasztva.`,
    nothing: 'Ebből most semmi sem vonható vissza.',
    apply: 'Végrehajtás…',
    rows: 'Amit visszavonna',
    filter: 'Megjelenítés',
    all: 'Mind',
    more: 'Továbbiak',
    choose: (call) => `Visszavonás: ${call}`,
    chooseReady: 'Minden visszavonható kiválasztása',
    chooseNone: 'Kijelölés törlése',
    ofRun: (run) => `${run}. futás`,
    fresh: 'Új terv készítése',
    outdated: 'A webáruház a terv készítése óta megváltozott. Nem történt írás.',
    notApplicable: 'A terv nem hajtható végre.',
  },
  confirm: {
    title: (count, run) => `Visszavonja ${az(`${run}.`)} futás ${countText(count)} írását?`,
    detail: 'Mind visszavonódik, vagy egyik sem. Ebből külön futás lesz, amely szintén visszavonható.',
    conflicts: (count) => `Ebből ${countText(count)} azóta megváltozott: amit mások oda írtak, elvész.`,
    left: (count) => `${countText(count)} további írás úgy marad, ahogy van.`,
    act: 'Visszavonás',
  },
  states: {
    ready: 'Visszavonható',
    conflict: 'Azóta megváltozott',
    irreversible: 'Nem vonható vissza',
    already_as_before: 'Már a régi',
  },
  conflict: {
    label: 'Ami azóta megváltozott',
    field: 'Mező',
    before: 'Előtte',
    run: 'A futás után',
    now: 'Most',
    whole: 'a rekord',
    choosable: 'Érintetlen marad, hacsak ki nem választja; akkor mégis a korábbi érték áll vissza.',
    made: 'Azóta mások által létrehozott rekordok is törlődnének vele. Érintetlen marad, hacsak ki nem választja.',
    referred: 'Egy azóta létrehozott rekord hivatkozik rá, vagy amire ez hivatkozik, már nincs meg. Nem választható ki.',
    taken: 'Egy másik rekordnak már van olyan értéke, amely csak egynek lehet. Nem választható ki.',
    gone: 'A rekord már nincs meg. Nem választható ki.',
    less: 'Kevesebb maradt, mint amennyit el kellene venni. Nem választható ki.',
  },
  notKept:
    'Nem őrizzük, milyenek voltak a rekordok: túl régi, túl sok volt, vagy olyan személyről szólt, akinek törölték az adatait. Módosítsa őket kézzel.',
  stays: 'Közben egy e-mail is készült, amely elküldve marad. Írjon újra a címzetteknek.',
  instead: {
    'subscriptions.activate': 'Az előfizetés a fizetési szolgáltatónál fut, bármit is tud róla a webáruház. Mondja le.',
    'subscriptions.cancel': 'A fizetési szolgáltató lezárta az előfizetést, és vele a hozzáférés is véget ért. A vásárló újra előfizethet.',
    'orders.create_shipment':
      'A futárszolgálatoktól árakat kértünk, és azóta lehet, hogy csomagcímkét is vettek. Törölje a küldeményt, ezzel visszakéri a címke árát.',
    'orders.buy_label': 'A futárszolgálat eladta a csomagcímkét. Törölje a küldeményt, ezzel visszakéri az árát.',
    'orders.refresh_shipment': 'Azt tárolja, amit a futárszolgálat közölt; ez a webáruháztól függetlenül így van.',
    'orders.delete_shipment':
      'A futárszolgálatot megkértük, hogy vegye vissza a megvásárolt csomagcímkét. Hozza létre újra a küldeményt, vagy rögzítse újra, ha csomagautomata-hálózatnál van.',
    'orders.create':
      'A rendelés a számával a könyvelésben marad, és a vásárló talán már értesítést kapott. Mondja le, ezzel a készlet és az utalvány visszakerül.',
    'customers.delete_file': file,
    'customers.delete': 'Akinek törölték az adatait, nem hozható vissza. Hozza létre újra a vásárlót abból, amit ő maga megad.',
    'notifications.create': 'Mások talán már elolvasták. Hozzon létre egy másik értesítést, amely helyesbíti.',
    'media.delete': file,
    'files.delete': file,
    'inquiries.answer': 'A válasz e-mailben elment. Írjon újra az illetőnek.',
    'http.send': 'Egy másik rendszer megkapta a kérést. Ott kérje a visszavonását.',
    'task_runs.start': 'Az általa indított futásnak saját módosításai vannak. Azt a futást vonja vissza.',
    'ai_tasks.signal_run': signal,
    'ai_tasks.signal': signal,
    'task_runs.signal': signal,
    'mails.send': 'E-mailt nem lehet visszahívni. Írjon újra a címzetteknek.',
  },
};
