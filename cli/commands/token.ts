import { adminPermissions, canonicalPermission, isKnownPermission, type Permission } from '../../contract/permissions.ts';
import { type Command, exactly, note, parse, readId, SERVER_HELP, say } from '../command.ts';
import { UsageError } from '../failure.ts';
import { oneLine } from '../screen.ts';
import { openSession, serverOptions } from '../session.ts';

export const tokenCreate: Command = {
  name: 'token create',
  usage: '--name NAME [--permission NAME]… [--days N | --never-expires]',
  about: 'creates an access token of your own and prints it once',
  options: [
    ['--name NAME', 'says what the token is for'],
    ['--permission NAME', 'a permission of the token; may be given several times (default: all of the token in use)'],
    ['--days N', 'the token expires in N days, 1 to 365'],
    ['--never-expires', 'the token never expires'],
    ...SERVER_HELP,
  ],
  notes: ['Only the token is written to standard output.'],
  example: 'export STOCK_TOKEN=$(npx backroom token create --name stock --permission admin_api.products.read --days 30)',
  async run(args) {
    const { values, positionals } = parse(args, {
      ...serverOptions,
      name: { type: 'string' },
      permission: { type: 'string', multiple: true },
      days: { type: 'string' },
      'never-expires': { type: 'boolean', default: false },
    });
    exactly(positionals, []);
    if (!values.name?.trim()) throw new UsageError('--name is missing: it says what the token is for');
    if (values.days !== undefined && values['never-expires']) throw new UsageError('--days and --never-expires cannot be used together');
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
