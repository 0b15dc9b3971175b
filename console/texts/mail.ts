export const mailText = {
  statuses: { queued: 'waiting', sent: 'sent', failed: 'failed' },
  noServer: 'No mail server is set up. Mails wait until there is one.',
  toSettings: 'Set up a mail server',
} as const;
