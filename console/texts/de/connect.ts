import type { ConnectText } from '../connect.ts';

export const connect: ConnectText = {
  title: 'Agenten verbinden',
  asks: 'Ein Programm möchte in Ihrem Namen handeln',
  client: 'Nennt sich',
  host: 'Verbürgt durch',
  noHost: 'niemanden: Jeder kann sich so nennen. Fahren Sie nur fort, wenn Sie dies gerade selbst begonnen haben.',
  redirect: 'Die Antwort geht an',
  actsFor: 'Handelt für',
  choose: 'Wählen Sie, was der Agent darf. Er macht Vorschläge; was den Shop ändern würde, wartet auf die Entscheidung eines Menschen.',
  chooseAsked:
    'Zur Wahl steht, was das Programm verlangt. Der Agent macht Vorschläge; was den Shop ändern würde, wartet auf die Entscheidung eines Menschen.',
  allow: 'Erlauben',
  deny: 'Ablehnen',
  gone: 'Diese Verbindungsanfrage wurde bereits beantwortet oder ist abgelaufen. Beginnen Sie im Programm von vorn.',
  goesOn: 'Beantwortet. Der Browser kehrt zum Programm zurück.',
};
