import type { JoinText } from '../join.ts';

export const join: JoinText = {
  title: (shop) => `Willkommen bei ${shop}`,
  invited: (by, role) =>
    role === null ? `${by} lädt Sie ein, hier mitzuarbeiten.` : `${by} lädt Sie ein, hier mitzuarbeiten. Ihre Rolle: ${role}.`,
  owner: 'Inhaber',
  name: 'Ihr Name',
  nameHint: 'Andere sehen ihn bei allem, was Sie tun.',
  missing: 'Geben Sie Ihren Namen ein.',
  address: (email) => `Später melden Sie sich mit einem Link an, der an ${email} geht.`,
  keep: 'Auf diesem Gerät angemeldet bleiben',
  join: 'Beitreten',
  instead: 'Hier ist bereits jemand angemeldet. Wenn Sie beitreten, sind in diesem Browser stattdessen Sie angemeldet.',
  refused:
    'Diese Einladung wurde bereits verwendet oder zurückgezogen, oder sie ist abgelaufen. Bitten Sie die Person, die Sie eingeladen hat, um eine neue.',
};
