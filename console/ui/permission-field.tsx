import { useId } from 'react';
import { text } from '../texts/app.ts';
import { permissionText } from '../texts/permissions.ts';
import { Tick } from './field.tsx';

type Props = {
  label: string;
  /** The permissions that can be given. */
  offered: readonly string[];
  value: readonly string[];
  onValue(value: readonly string[]): void;
  error?: string | undefined;
  pointer?: string;
  disabled?: boolean;
};

type Level = 'none' | 'read' | 'write';

/** Permissions by resource: nothing, to read, or to change (which includes to read); and the few that belong to no resource. */
export function PermissionField({ label, offered, value, onValue, error, pointer, disabled = false }: Props) {
  const id = useId();
  const resources = [...new Set(offered.flatMap((one) => /^admin_api\.(.+)\.(?:read|write)$/.exec(one)?.[1] ?? []))].sort((a, b) =>
    resourceName(a).localeCompare(resourceName(b), 'en'),
  );
  const others = offered.filter((one) => !/^admin_api\..+\.(?:read|write)$/.test(one));
  const held = new Set(value);
  const set = (names: readonly string[], wanted: readonly string[]): void =>
    onValue([...value.filter((one) => !names.includes(one)), ...wanted]);
  return (
    <fieldset className={error === undefined ? 'permissions' : 'permissions field wrong'} tabIndex={-1} data-pointer={pointer}>
      <legend>{label}</legend>
      {error === undefined ? null : <p className="field-error">{error}</p>}
      {resources.map((resource) => {
        const [read, write] = [`admin_api.${resource}.read`, `admin_api.${resource}.write`];
        const level: Level = held.has(write) ? 'write' : held.has(read) ? 'read' : 'none';
        return (
          <div key={resource} className="permission">
            <label htmlFor={`${id}-${resource}`}>{resourceName(resource)}</label>
            <select
              id={`${id}-${resource}`}
              className="input"
              disabled={disabled}
              value={level}
              onChange={(event) =>
                set([read, write], event.target.value === 'write' ? [write] : event.target.value === 'read' ? [read] : [])
              }
            >
              <option value="none">{text.permissions.none}</option>
              {offered.includes(read) ? <option value="read">{text.permissions.read}</option> : null}
              {offered.includes(write) ? <option value="write">{text.permissions.write}</option> : null}
            </select>
          </div>
        );
      })}
      {others.map((one) => (
        <Tick
          key={one}
          label={permissionText(one)}
          disabled={disabled}
          checked={held.has(one)}
          onValue={(on) => set([one], on ? [one] : [])}
        />
      ))}
    </fieldset>
  );
}

/** `order_statuses` as `Order statuses`. */
function resourceName(resource: string): string {
  const words = resource.replace(/^ai_/, '').replaceAll('_', ' ');
  return `${words[0]?.toUpperCase() ?? ''}${words.slice(1)}`;
}
