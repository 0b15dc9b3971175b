import type { Phrases } from './phrases.ts';

export const de: Phrases = {
  hello: 'Guten Tag {name},',
  helloUnnamed: 'Guten Tag,',
  bye: 'Mit freundlichen Grüßen\n{shop}',
  order_confirmation: {
    subject: 'Ihre Bestellung {order} bei {shop}',
    intro: 'vielen Dank für Ihre Bestellung. Das haben wir notiert:',
  },
  order_updated: {
    subject: 'Ihre Bestellung {order} bei {shop} wurde geändert',
    intro: 'Ihre Bestellung wurde geändert. So sieht sie jetzt aus:',
    totalBefore: 'Summe vor der Änderung',
  },
  order_placed: {
    subject: 'Neue Bestellung {order} bei {shop}',
    intro: 'es ist eine Bestellung eingegangen:',
    by: 'Bestellt von',
  },
  inquiry_received: {
    subject: 'Neue Anfrage bei {shop}',
    intro: 'es ist eine Anfrage eingegangen:',
    from: 'Von',
    about: 'Betreff',
  },
  inquiry_answer: {
    subject: 'Ihre Anfrage bei {shop}',
    question: 'Sie haben gefragt:',
  },
  task_run_failed: {
    subject: 'Aufgabe „{task}“ von {shop} ist gescheitert',
    intro: 'Ein Lauf einer Aufgabe endete ohne Erfolg:',
  },
  task_run_interrupted: {
    subject: 'Aufgabe „{task}“ von {shop} wurde unterbrochen',
    intro: 'Ein Lauf einer Aufgabe wurde unterbrochen:',
  },
  task_run_stuck: {
    subject: 'Aufgabe „{task}“ von {shop} hängt vielleicht',
    intro: 'Ein Lauf einer Aufgabe ist im Gang, gibt aber kein Zeichen eines Fortschritts:',
  },
  task_paused: {
    subject: 'Aufgabe „{task}“ von {shop} wurde angehalten',
    intro: 'Die neue Version einer Aufgabe schnitt schlechter ab als die vorige. Die Aufgabe startet keine Läufe, bis jemand entscheidet:',
  },
  task_missed: {
    subject: 'Aufgabe „{task}“ von {shop} wurde nicht gestartet',
    intro: 'Eine Aufgabe wurde nicht gestartet, als sie an der Reihe war:',
  },
  task_news: { task: 'Aufgabe', times: 'Wie oft seit der letzten Mail', run: 'Letzter Lauf', reason: 'Grund' },
  set_password: {
    subject: 'Ihr Konto bei {shop}',
    intro: 'wir haben bei {shop} ein Konto für Ihre Adresse {address} angelegt.',
    choose: 'Es hat noch kein Passwort. Um eines zu wählen, fordern Sie auf unserer Anmeldeseite mit dieser Adresse ein neues an.',
    ignore: 'Wenn Sie kein Konto wollten, brauchen Sie nichts zu tun.',
  },
  admin_invitation: {
    subject: '{by} lädt Sie zu {shop} ein',
    intro: '{by} lädt Sie ein, in der Verwaltung von {shop} mitzuarbeiten. Öffnen Sie diesen Link, um beizutreten:',
    once: 'Er gilt einmal, bis {until}.',
    ignore: 'Wenn Sie das nicht erwartet haben, brauchen Sie nichts zu tun.',
  },
  sign_in_link: {
    subject: 'Ihr Link zur Anmeldung bei {shop}',
    intro: 'öffnen Sie diesen Link, um sich in der Verwaltung von {shop} anzumelden. Er gilt einmal, innerhalb von {minutes} Minuten:',
    ignore: 'Wenn Sie ihn nicht angefordert haben, brauchen Sie nichts zu tun: Ohne diese E-Mail kann sich niemand anmelden.',
  },
  unsubscribe: {
    link: 'Sie möchten solche E-Mails nicht mehr? Hier abmelden:',
    question: 'Möchten Sie keine Neuigkeiten und Angebote von {shop} mehr per E-Mail bekommen?',
    button: 'Abmelden',
    done: 'Sie bekommen keine Neuigkeiten und Angebote von {shop} mehr.',
    unknown: 'Dieser Link gilt nicht mehr.',
  },
  orderNumber: 'Bestellnummer',
  deliveryDate: 'Voraussichtliche Lieferung',
  pickUpAt: 'Abholung bei',
  shippedTo: 'Lieferadresse',
  notes: 'Ihre Anmerkungen',
  subtotal: 'Zwischensumme',
  discount: 'Rabatt',
  shipping: 'Versand',
  tax: 'Steuer',
  taxIncluded: 'Enthaltene Steuer',
  total: 'Summe',
};
