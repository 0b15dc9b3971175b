import type { ConnectText } from '../connect.ts';

export const connect: ConnectText = {
  title: 'AI-ügynök csatlakoztatása',
  asks: 'Egy kliens az Ön nevében szeretne eljárni',
  client: 'Így nevezi magát',
  host: 'Igazolja',
  noHost: 'senki: bárki nevezheti így magát. Csak akkor folytassa, ha ezt az imént Ön kezdeményezte.',
  redirect: 'A válasz ide érkezik',
  actsFor: 'Akinek a nevében eljár',
  choose: 'Válassza ki, mit tehet. Az AI-ügynök csak javasol; ami módosítaná a webáruházat, az emberi döntésre vár.',
  chooseAsked: 'Az itt választható jogosultságokat kéri. Az AI-ügynök csak javasol; ami módosítaná a webáruházat, az emberi döntésre vár.',
  allow: 'Engedélyezés',
  deny: 'Elutasítás',
  gone: 'Erre a kérésre már válaszoltak, vagy lejárt. Kezdje újra a kliensben.',
  goesOn: 'Megválaszolva. A böngésző visszatér a klienshez.',
};
