import { adminPermissions, canonicalPermission, isKnownPermission, type Permission } from '../../contract/permissions.ts';
import { type Command, exactly, note, parse, readId, SERVER_HELP, say } from '../command.ts';
import { UsageError } from '../failure.ts';
import { oneLine } from '../screen.ts';
import { openSession, serverOptions } from '../session.ts';

export const tokenCreate: Command = {
  name: 'token create',
  usage: '--name NAME [--permission NAME]… [--days N | --never-expires]',
  about: 'makes an access token of yours, and prints it once',
  details: `  --name NAME        what it is for
  --permission NAME  what it may; several times for several (default: what the asking token may)
  --days N           it expires in so many days, 1 to 365
  --never-expires    it does not
${SERVER_HELP}
The token alone goes to standard output.`,
  async run(args) {
    const { values, positionals } = parse(args, {
      ...serverOptions,
      name: { type: 'string' },
      permission: { type: 'string', multiple: true },
      days: { type: 'string' },
      'never-expires': { type: 'boolean', default: false },
    });
    exactly(positionals, []);
    if (!values.name?.trim()) throw new UsageError('--name is missing: what the token is for');
    if (values.days !== undefined && values['never-expires']) throw new UsageError('--days and --never-expires exclude one another');
    const days = values.days === undefined ? undefined : readId('--days', values.days);
    const { shop } = await openSession(values);
    const made = await shop.client.me.create_token({
      name: values.name,
      ...(values.permission ? { permissions: values.permission.map(readPermission) } : {}),
      ...(days === undefined ? {} : { expires_in_days: days }),
      ...(values['never-expires'] ? { expires_in_days: null } : {}),
    });
    const until = made.expires_at === null ? 'never expires' : `expires ${made.expires_at}`;
    note(
      `Token ${made.id} "${oneLine(made.name)}" ${until} and may ${made.permissions?.join(', ') ?? 'all that its admin may'}; it is shown once:`,
    );
    say(made.token ?? '');
    return 0;
  },
};

function readPermission(text: string): Permission {
  const permission = canonicalPermission(text);
  if (isKnownPermission(permission)) return permission;
  throw new UsageError(`--permission ${text} is not known; accepted are: ${adminPermissions.join(', ')}`);
}
