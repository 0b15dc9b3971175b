import { counted } from '../../language/formats.ts';
import type { SecretsText } from '../secrets.ts';

const count = (one: string, many: string) => (total: number) => counted(total, one, many);

const shared = {
  shop: 'Alle Aufgaben',
  find: 'Nur für die Aufgabe',
  by: 'Eingerichtet von',
  changed: 'Geändert',
  namePlaceHint: 'Kleinbuchstaben, Ziffern und _, mit einem Buchstaben am Anfang.',
};

export const secrets: SecretsText = {
  secrets: {
    title: 'Geheimnisse',
    count: count('Geheimnis', 'Geheimnisse'),
    search: 'Name oder Host',
    empty:
      'Noch keine Geheimnisse. Der Server setzt ein Geheimnis in HTTP-Anfragen von Aufgaben ein; kein Skript, kein Admin und kein Protokoll bekommt es je zu sehen.',
    create: 'Neues Geheimnis',
    removal: 'Läufe, die es benötigen, werden ab sofort abgelehnt.',
    ...shared,
    nameHint: shared.namePlaceHint,
    valueHint: 'Wird verschlüsselt gespeichert und nie wieder angezeigt.',
    replaceHint: 'Den gespeicherten Wert kann niemand lesen. Leer: Er bleibt; für einen zusätzlichen Host wird er erneut benötigt.',
    hostsHint: 'Wohin der Server es senden darf, z. B. api.example.com oder host:port; mehrere durch Kommas getrennt.',
    use: 'Im Skript',
    used: 'Zuletzt verwendet',
    neverUsed: 'noch nie',
    fields: { name: 'Name', task_id: 'Für', value: 'Wert', newValue: 'Neuer Wert', hosts: 'Hosts', note: 'Notiz' },
  },
  variables: {
    title: 'Variablen',
    count: count('Variable', 'Variablen'),
    search: 'Name oder Notiz',
    empty: 'Noch keine Variablen. Eine Variable ist ein Wert, den Admins festlegen und die Skripte der Aufgaben lesen.',
    create: 'Neue Variable',
    removal: 'Skripte, die sie lesen, erhalten dann die Variable für alle Aufgaben oder nichts.',
    ...shared,
    nameHint: shared.namePlaceHint,
    valueHint:
      'JSON: ein Text in Anführungszeichen, eine Zahl, true, eine Liste oder ein Objekt. Wer die Ausgaben der Läufe sieht, kann den Wert sehen.',
    use: 'Im Skript',
    fields: { name: 'Name', task_id: 'Für', value: 'Wert', note: 'Notiz' },
  },
};
