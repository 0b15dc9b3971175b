import { counted, countText, isOne } from '../../language/formats.ts';
import type { NewsText } from '../news.ts';

const unsent = (givenUp: number, waiting: number): string =>
  [
    ...(givenUp > 0 ? [`${countText(givenUp)} aufgegeben`] : []),
    ...(waiting > 0 ? [`${countText(waiting)} ${isOne(waiting) ? 'wird' : 'werden'} erneut versucht`] : []),
  ].join(', ');

export const news: NewsText = {
  smtp_error: {
    title: 'E-Mails können nicht versendet werden',
    message: (givenUp, waiting, error) => `Nicht versendete E-Mails: ${unsent(givenUp, waiting)}. Letzter Fehler: ${error}`,
    unknown: 'unbekannt',
  },
  low_stock: {
    title: (product) => `Niedriger Bestand: ${product}`,
    message: (product, stock) => `${product}: noch ${countText(stock)} auf Lager.`,
  },
  personal_access_token_created: {
    title: 'Zugriffstoken erstellt',
    message: (name) => `Das Token „${name}“ wurde erstellt.`,
  },
  passkey_added: {
    title: 'Passkey hinzugefügt',
    message: (name, admin) => `${admin} hat einen neuen Passkey: „${name}“.`,
  },
  passkey_copied: {
    title: 'Ein Passkey wurde möglicherweise kopiert',
    message: (name) =>
      `Der Passkey „${name}“ wurde abgelehnt, weil sein Zähler nicht gestiegen ist. Möglicherweise hat jemand eine Kopie davon.`,
  },
  recovery_code_used: {
    title: 'Wiederherstellungscode verwendet',
    message: (admin, left) =>
      `${admin} hat mit einem Wiederherstellungscode einen neuen Passkey eingerichtet. Verbleibende Codes: ${countText(left)}.`,
  },
  runs: {
    ai_task_run_failed: 'Ein Lauf ist fehlgeschlagen',
    ai_task_run_interrupted: 'Ein Lauf wurde unterbrochen',
    ai_task_run_ended: 'Ein Lauf endete ohne Erfolg',
    message: (run, task, status, reason) => `Lauf ${run} von „${task}“: ${status}${reason === undefined ? '' : ` (${reason})`}`,
  },
  ai_task_run_stuck: {
    title: 'Ein Lauf hängt möglicherweise',
    message: (run, task, minutes) =>
      `Lauf ${run} von „${task}“ läuft, zeigt aber seit ${isOne(minutes) ? 'einer Minute' : `${countText(minutes)} Minuten`} keinen Fortschritt`,
  },
  ai_task_not_started: {
    title: 'Eine Aufgabe wurde nicht gestartet',
    message: (task, opener, reason) => `„${task}“, ${opener}: Es wurde kein Lauf gestartet. ${reason}`,
    openers: {
      schedule: (id) => `Zeitplan ${id}`,
      trigger: (id) => `Auslöser ${id}`,
      hook: (id) => `Hook ${id}`,
      handler: (run) => `Ende von Lauf ${run}`,
    },
    reasons: {
      not_entitled: 'Der Admin, für den die Läufe handeln, ist deaktiviert oder darf keine Aufgaben mehr starten.',
      queue_full: 'Der offene Lauf ist noch nicht beendet, und es warten bereits so viele Termine wie erlaubt.',
      task_paused: 'Die Aufgabe ist angehalten, weil ihre neue Version schlechter abschnitt als die vorige.',
      task_deleted: 'Die Aufgabe ist gelöscht.',
      version_not_approved: 'Keine Version der Aufgabe ist freigegeben.',
      required: 'Ein Parameter hat keinen Wert.',
      forbidden: 'Eine Berechtigung fehlt.',
      missed: 'Zu dieser Zeit lief kein Server, und der Termin liegt zu lange zurück, um ihn nachzuholen.',
    },
  },
  ai_task_paused: {
    title: 'Eine Aufgabe wurde angehalten',
    message: (task, before) =>
      `Die neue Version von „${task}“ schnitt schlechter ab als Version ${before}. Die Aufgabe startet keine Läufe, bis jemand entscheidet.`,
  },
  ai_task_prompt: {
    title: 'Ein Lauf wartet auf eine Antwort',
    dryTitle: 'Ein Probelauf wartet auf eine Antwort',
    message: (run, task) => `Lauf ${run} von „${task}“ hat eine Rückfrage`,
  },
  ai_task_version_pending: {
    title: 'Eine Version wartet auf Freigabe',
    message: (version, task, by) => `Version ${version} von „${task}“, eingereicht von ${by}`,
    onceTitle: 'Ein Vorschlag wartet auf eine Entscheidung',
    onceMessage: (task) => `Der Probelauf von „${task}“ ist fertig: Der Plan wird in der Prüfung angewendet oder abgelehnt`,
  },
  ai_task_version_commented: {
    title: 'Ein Kommentar zu einer Version',
    answerTitle: 'Eine Antwort auf einen Kommentar zu einer Version',
    message: (by, line, version, task) => `${by}: Zeile ${line} in Version ${version} von „${task}“`,
  },
  ai_task_changes_requested: {
    title: 'Änderungen an einer Version angefordert',
    message: (by, version, task) => `${by} fordert Änderungen an Version ${version} von „${task}“ an`,
  },
  ai_task_plan_pending: {
    title: 'Ein Plan wartet auf eine zweite Person',
    message: (by, run, task) => `${by} bittet einen anderen Admin, den Plan von Probelauf ${run} der Aufgabe „${task}“ anzuwenden`,
  },
  ai_task_plan_declined: {
    title: 'Ein Plan wurde abgelehnt',
    message: (by, run, task, reason) => `${by} hat den Plan von Probelauf ${run} der Aufgabe „${task}“ abgelehnt: ${reason}`,
  },
  policy_change_proposed: {
    title: 'Eine Änderung der Regeln wartet auf Sie',
    message: (by) => `${by} schlägt eine Änderung vor, für die zwei Inhaber nötig sind`,
  },
  label_refund_failed: {
    title: 'Ein Versandetikett wurde nicht erstattet',
    message: (order, shipment, label, error) =>
      `Bestellung ${order}: Der Paketdienst hat das Versandetikett ${label} der entfernten Sendung ${shipment} nicht zurückgenommen: ${error}`,
  },
  webhook_endpoint_disabled: {
    title: 'Webhook-Adresse ausgeschaltet',
    gone: (url) => `${url} wurde ausgeschaltet: Die Antwort war 410 Gone`,
    failed: (url, attempts, error) =>
      `${url} wurde ausgeschaltet: ${counted(attempts, 'Versuch ist', 'Versuche sind')} fehlgeschlagen, der letzte mit: ${error}`,
  },
  storage_nearly_full: {
    title: 'Der Speicherplatz ist fast voll',
    message: (used, limit) => `Dateien belegen ${used} von ${limit}.`,
  },
  mentioned: {
    title: (by) => `${by} hat Sie erwähnt`,
    inOrder: (number) => `In einem Kommentar zu Bestellung ${number}.`,
    inCustomer: (id) => `In einem Kommentar zu Kunde ${id}.`,
  },
  mails: {
    order_placed: 'Neue Bestellung',
    inquiry_received: 'Neue Anfrage',
    task_run_failed: 'Ein Lauf einer Aufgabe ist fehlgeschlagen',
    task_run_interrupted: 'Ein Lauf einer Aufgabe wurde unterbrochen',
    task_run_stuck: 'Ein Lauf einer Aufgabe hängt möglicherweise',
    task_paused: 'Eine Aufgabe wurde in der Probe ihrer neuen Version angehalten',
    task_missed: 'Eine Aufgabe wurde nicht wie geplant gestartet',
  },
};
