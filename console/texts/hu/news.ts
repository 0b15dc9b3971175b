import { countText } from '../../language/formats.ts';
import { Az, az } from '../../language/hungarian-article.ts';
import type { NewsText } from '../news.ts';

const unsent = (givenUp: number, waiting: number): string =>
  [
    ...(givenUp > 0 ? [`${countText(givenUp)} végleg sikertelen`] : []),
    ...(waiting > 0 ? [`${countText(waiting)} újra megkísérelve`] : []),
  ].join(', ');

export const news: NewsText = {
  smtp_error: {
    title: 'Nem küldhetők e-mailek',
    message: (givenUp, waiting, error) => `El nem küldött e-mailek: ${unsent(givenUp, waiting)}. Az utolsó hiba: ${error}`,
    unknown: 'ismeretlen',
  },
  low_stock: {
    title: (product) => `Alacsony készlet: ${product}`,
    message: (product, stock) => `${product}: már csak ${countText(stock)} db van készleten.`,
  },
  personal_access_token_created: {
    title: 'Új hozzáférési token',
    message: (name) => `Létrejött ${az(`„${name}”`)} token.`,
  },
  passkey_added: {
    title: 'Új belépőkulcs',
    message: (name, admin) => `${admin} új belépőkulcsot vett fel: „${name}”.`,
  },
  passkey_copied: {
    title: 'Lehet, hogy egy belépőkulcsot lemásoltak',
    message: (name) =>
      `A rendszer elutasította ${az(`„${name}”`)} belépőkulcsot, mert a számlálója nem nőtt. Lehet, hogy valakinek van róla másolata.`,
  },
  recovery_code_used: {
    title: 'Felhasznált helyreállító kód',
    message: (admin, left) => `${admin} helyreállító kóddal állított be új belépőkulcsot. Megmaradt kódok száma: ${countText(left)}.`,
  },
  runs: {
    ai_task_run_failed: 'Egy futás sikertelen volt',
    ai_task_run_interrupted: 'Egy futás megszakadt',
    ai_task_run_ended: 'Egy futás eredmény nélkül ért véget',
    message: (run, task, status, reason) => `„${task}”, ${run}. futás: ${status}${reason === undefined ? '' : ` (${reason})`}`,
  },
  ai_task_run_stuck: {
    title: 'Egy futás talán elakadt',
    message: (run, task, minutes) => `„${task}” ${run}. futása ${countText(minutes)} perce nem adott életjelet`,
  },
  ai_task_not_started: {
    title: 'Egy feladat nem indult el',
    message: (task, opener, reason) => `„${task}”, ${opener}: nem indult futás. ${reason}`,
    openers: {
      schedule: (id) => `${id}. ütemezés`,
      trigger: (id) => `${id}. eseményindító`,
      hook: (id) => `${id}. hook`,
      handler: (run) => `${run}. futás vége`,
    },
    reasons: {
      not_entitled: 'Az admin, akinek a nevében működik, inaktív, vagy már nem indíthat feladatokat.',
      queue_full: 'A nyitott futása még nem ért véget, és már a megengedett számú időpont várakozik.',
      task_paused: 'A feladat szünetel, mert új verziója rosszabbul teljesített, mint az előző.',
      task_deleted: 'A feladatot törölték.',
      version_not_approved: 'A feladatnak nincs jóváhagyott verziója.',
      required: 'Az egyik paraméternek nincs értéke.',
      forbidden: 'Hiányzik egy jogosultság.',
      missed: 'Abban az időpontban nem működött kiszolgáló, és már túl régen volt ahhoz, hogy pótolni lehessen.',
    },
  },
  ai_task_paused: {
    title: 'Egy feladat szünetel',
    message: (task, before) =>
      `${Az(`„${task}”`)} új verziója rosszabbul teljesített, mint ${az(`${before}.`)} verzió. A feladat nem indít futást, amíg valaki nem dönt.`,
  },
  ai_task_prompt: {
    title: 'Egy futás válaszra vár',
    dryTitle: 'Egy próbafutás válaszra vár',
    message: (run, task) => `„${task}” ${run}. futása kérdez valamit`,
  },
  ai_task_version_pending: {
    title: 'Egy verzió jóváhagyásra vár',
    message: (version, task, by) => `„${task}”, ${version}. verzió, készítette: ${by}`,
    onceTitle: 'Egy javaslat döntésre vár',
    onceMessage: (task) => `Elkészült „${task}” próbafutása: a terve az ellenőrzésnél hajtható végre vagy utasítható el`,
  },
  ai_task_version_commented: {
    title: 'Megjegyzés egy verzióhoz',
    answerTitle: 'Válasz egy verzióhoz fűzött megjegyzésre',
    message: (by, line, version, task) => `${by}: „${task}”, ${version}. verzió, ${line}. sor`,
  },
  ai_task_changes_requested: {
    title: 'Módosítást kértek egy verzión',
    message: (by, version, task) => `${by} módosítást kér „${task}” ${version}. verzióján`,
  },
  ai_task_plan_pending: {
    title: 'Egy terv második személyre vár',
    message: (by, run, task) => `${by} egy másik admint kér, hogy hajtsa végre „${task}” ${run}. próbafutásának tervét`,
  },
  ai_task_plan_declined: {
    title: 'Egy tervet elutasítottak',
    message: (by, run, task, reason) => `${by} elutasította „${task}” ${run}. próbafutásának tervét: ${reason}`,
  },
  policy_change_proposed: {
    title: 'A szabályok egy módosítása Önre vár',
    message: (by) => `${by} olyan módosítást javasol, amelyhez két tulajdonos kell`,
  },
  label_refund_failed: {
    title: 'Egy csomagcímke árát nem térítették vissza',
    message: (order, shipment, label, error) =>
      `${order}. rendelés: a futárszolgálat nem vette vissza a törölt ${shipment}. küldemény csomagcímkéjét (${label}): ${error}`,
  },
  webhook_endpoint_disabled: {
    title: 'Egy webhookcím kikapcsolva',
    gone: (url) => `${url} kikapcsolva: 410 Gone választ adott`,
    failed: (url, attempts, error) => `${url} kikapcsolva: ${countText(attempts)} kísérlet sikertelen volt, az utolsó hiba: ${error}`,
  },
  storage_nearly_full: {
    title: 'A tárhely majdnem megtelt',
    message: (used, limit) => `A fájlok ${used} helyet foglalnak, a keret ${limit}.`,
  },
  mentioned: {
    title: (by) => `${by} megemlítette Önt`,
    inOrder: (number) => `${Az(number)} számú rendeléshez írt megjegyzésben.`,
    inCustomer: (id) => `${Az(`${id}.`)} vásárlóhoz írt megjegyzésben.`,
  },
  mails: {
    order_placed: 'Új rendelés',
    inquiry_received: 'Új megkeresés',
    task_run_failed: 'Egy feladat futása sikertelen volt',
    task_run_interrupted: 'Egy feladat futása megszakadt',
    task_run_stuck: 'Egy feladat futása talán elakadt',
    task_paused: 'Egy feladat szünetel, mert új verziója nem vált be a próbán',
    task_missed: 'Egy feladat nem indult el, amikor kellett volna',
  },
};
