import { counted } from '../../language/formats.ts';
import type { UndoEntryText } from '../undo-entry.ts';

export const undoEntry: UndoEntryText = {
  title: (what) => `„${what}“ rückgängig machen?`,
  detail: 'Was ausgewählt ist, bekommt durch eine Änderung von Ihnen wieder seinen Wert von vorher.',
  label: 'Was geändert wurde',
  columns: { field: 'Feld', before: 'Vorher', after: 'Durch die Änderung', now: 'Jetzt' },
  choose: (field) => `${field} rückgängig machen`,
  states: {
    ready: 'Wie nach der Änderung',
    conflict: 'Inzwischen geändert',
    same: 'Schon wie zuvor',
    closed: 'Nicht rückgängig zu machen',
  },
  act: (count) => `${counted(count, 'Wert', 'Werte')} rückgängig machen`,
  acknowledge: 'Die Bestellung ist schon versendet: trotzdem ändern',
  lacking: (permissions) => `Sie benötigen außerdem: ${permissions}.`,
  outdated: 'Seit Sie es angesehen haben, hat sich etwas geändert. Es wurde nichts geschrieben; so ist es jetzt.',
  takenBack: 'Es wurde schon einmal rückgängig gemacht.',
  undoOf: 'Diese Änderung machte eine frühere rückgängig.',
  run: (id) => `Lauf ${id} anzeigen`,
  closed: {
    by_run: 'Ein Lauf hat es getan. Machen Sie diesen Lauf rückgängig.',
    by_system: 'Der Shop, ein Kunde oder ein Zahlungsanbieter hat es getan.',
    created: 'Damit entstand der Datensatz. Löschen Sie stattdessen den Datensatz.',
    deleted: 'Damit wurde der Datensatz gelöscht. Legen Sie ihn neu an.',
    not_an_edit: 'Es änderte nichts, was eine Bearbeitung setzen kann.',
    irreversible: 'Es hat das Haus verlassen und kann nicht zurückgerufen werden.',
    ledger: 'Es ist gebucht, und Buchungen bleiben. Buchen Sie stattdessen das Gegenteil.',
    follows: 'Es ergibt sich aus anderen Werten.',
    not_kept: 'Wie es vorher war, ist nicht gespeichert.',
    forgotten: 'Es betraf eine Person, deren Daten gelöscht wurden.',
    gone: 'Den Datensatz gibt es nicht mehr.',
  },
};
