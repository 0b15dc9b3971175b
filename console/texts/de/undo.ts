import { counted, countText } from '../../language/formats.ts';
import type { UndoText } from '../undo.ts';

const file = 'Der Inhalt der Datei wurde mit ihr gelöscht. Laden Sie die Datei erneut hoch.';
const signal = 'Ein Lauf, der auf das Signal wartete, ist damit weitergelaufen. Machen Sie rückgängig, was dieser Lauf getan hat.';

export const undo: UndoText = {
  act: 'Rückgängig machen …',
  selected: (count) => `${counted(count, 'Auswirkung', 'Auswirkungen')} ausgewählt`,
  clear: 'Auswahl aufheben',
  ask: {
    title: (run) => `Rückgängig machen, was Lauf ${run} getan hat?`,
    titleSome: (count, run) => `${counted(count, 'Auswirkung', 'Auswirkungen')} von Lauf ${run} rückgängig machen?`,
    detail: 'Zuerst entsteht ein Plan, der nichts ändert. Er zeigt, was wiederhergestellt würde und was andere inzwischen geändert haben.',
    together: 'Was ein Aufruf geschrieben hat, wird zusammen rückgängig gemacht.',
    what: 'Was rückgängig gemacht wird',
    run: (run) => `Was Lauf ${run} getan hat`,
    lineage: 'Auch was die Läufe davor getan haben, die er fortsetzt, und die danach, die ihn fortsetzen',
    make: 'Plan erstellen',
  },
  plan: {
    of: (run) => `Damit würde rückgängig gemacht, was Lauf ${run} getan hat.`,
    chosen: (count, all) => `${countText(count)} von ${counted(all, 'Schreibvorgang', 'Schreibvorgängen')} ausgewählt.`,
    nothing: 'Davon kann jetzt nichts rückgängig gemacht werden.',
    apply: 'Anwenden …',
    rows: 'Was rückgängig gemacht würde',
    filter: 'Anzeigen',
    all: 'Alle',
    more: 'Weitere anzeigen',
    choose: (call) => `${call} rückgängig machen`,
    chooseReady: 'Alles auswählen, was bereit ist',
    chooseNone: 'Nichts auswählen',
    ofRun: (run) => `von Lauf ${run}`,
    fresh: 'Neuen Plan erstellen',
    outdated: 'Der Shop hat sich geändert, seit dieser Plan erstellt wurde. Es wurde nichts geschrieben.',
    notApplicable: 'Der Plan kann nicht angewendet werden.',
  },
  confirm: {
    title: (count, run) => `${counted(count, 'Schreibvorgang', 'Schreibvorgänge')} von Lauf ${run} rückgängig machen?`,
    detail: 'Es werden alle rückgängig gemacht oder keiner. Daraus wird ein eigener Lauf, der wiederum rückgängig gemacht werden kann.',
    conflicts: (count) =>
      `${counted(count, 'davon wurde', 'davon wurden')} inzwischen geändert: Was andere dort geschrieben haben, geht verloren.`,
    left: (count) => `${counted(count, 'weiterer Schreibvorgang bleibt, wie er ist', 'weitere Schreibvorgänge bleiben, wie sie sind')}.`,
    act: 'Rückgängig machen',
  },
  states: {
    ready: 'Bereit',
    conflict: 'Inzwischen geändert',
    irreversible: 'Nicht rückgängig zu machen',
    already_as_before: 'Schon wie zuvor',
  },
  conflict: {
    label: 'Was inzwischen geändert wurde',
    field: 'Feld',
    before: 'Vorher',
    run: 'Durch den Lauf',
    now: 'Jetzt',
    whole: 'der Datensatz',
    choosable: 'Bleibt unberührt, wenn Sie es nicht auswählen; sonst wird trotzdem der Wert von vorher gesetzt.',
    made: 'Datensätze, die andere inzwischen angelegt haben, würden mit gelöscht. Bleibt unberührt, wenn Sie es nicht auswählen.',
    referred:
      'Ein inzwischen angelegter Datensatz verweist darauf, oder worauf es selbst verweist, ist gelöscht. Es kann nicht ausgewählt werden.',
    taken: 'Ein anderer Datensatz hat inzwischen einen Wert, den nur einer haben darf. Es kann nicht ausgewählt werden.',
    gone: 'Den Datensatz gibt es nicht mehr. Es kann nicht ausgewählt werden.',
    less: 'Es ist weniger übrig, als entnommen würde. Es kann nicht ausgewählt werden.',
  },
  notKept:
    'Wie die Datensätze vorher waren, ist nicht gespeichert: Es ist zu lange her, war zu viel oder betraf eine Person, deren Daten gelöscht wurden. Ändern Sie sie von Hand.',
  stays: 'Dabei wurde eine E-Mail geschrieben; sie bleibt gesendet. Schreiben Sie den Empfängern erneut.',
  instead: {
    'subscriptions.activate': 'Das Abonnement läuft beim Zahlungsanbieter, was auch immer der Shop davon weiß. Kündigen Sie es.',
    'subscriptions.cancel':
      'Der Zahlungsanbieter hat das Abonnement beendet, und damit endete sein Zugang. Der Kunde kann es neu abschließen.',
    'orders.create_shipment':
      'Paketdienste wurden nach Preisen gefragt, und inzwischen wurde vielleicht ein Versandetikett gekauft. Löschen Sie die Sendung; damit wird dessen Preis zurückgefordert.',
    'orders.buy_label':
      'Der Paketdienst hat das Versandetikett verkauft. Löschen Sie die Sendung; damit wird der Preis des Versandetiketts zurückgefordert.',
    'orders.refresh_shipment': 'Gespeichert wurde, was der Paketdienst mitgeteilt hat; das gilt, was auch immer der Shop tut.',
    'orders.delete_shipment':
      'Der Paketdienst wurde gebeten, ein gekauftes Versandetikett zurückzunehmen. Legen Sie die Sendung neu an, oder tragen Sie sie neu ein, wenn ein Paketautomaten-Netz sie hat.',
    'orders.create':
      'Eine Bestellung bleibt unter ihrer Nummer in den Büchern, und der Kunde wurde vielleicht benachrichtigt. Stornieren Sie sie; damit gehen Bestand und Gutschein zurück.',
    'customers.delete_file': file,
    'customers.delete':
      'Eine Person, deren Daten gelöscht wurden, kann nicht zurückkehren. Legen Sie den Kunden mit seinen eigenen Angaben neu an.',
    'notifications.create': 'Andere haben sie vielleicht schon gelesen. Erstellen Sie eine weitere Mitteilung, die sie berichtigt.',
    'media.delete': file,
    'files.delete': file,
    'inquiries.answer': 'Die Antwort wurde per E-Mail gesendet. Schreiben Sie der Person erneut.',
    'http.send': 'Ein anderes System hat die Anfrage erhalten. Lassen Sie sie dort zurücknehmen.',
    'task_runs.start': 'Der Lauf, der dadurch begann, hat eigene Auswirkungen. Machen Sie jenen Lauf rückgängig.',
    'ai_tasks.signal_run': signal,
    'ai_tasks.signal': signal,
    'task_runs.signal': signal,
    'mails.send': 'Eine E-Mail kann nicht zurückgerufen werden. Schreiben Sie den Empfängern erneut.',
  },
};
