import { useId } from 'react';
import { areaName, permissionText, permissionsText as t } from '../texts/permissions.ts';
import { Tick } from './field.tsx';
import { isWeighty, type Level, levelOf, othersOf, readOf, resourcesByGroup, writeOf } from './permission-areas.ts';
import './permission-field.css';

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

const levels: readonly Level[] = ['none', 'read', 'write'];

/** Permissions as a matrix: for each area nothing, to see, or to change (which includes to see); beneath it what belongs to no area. */
export function PermissionField({ label, offered, value, onValue, error, pointer, disabled = false }: Props) {
  const id = useId();
  const held = new Set(value);
  const set = (names: readonly string[], wanted: readonly string[]): void =>
    onValue([...value.filter((one) => !names.includes(one)), ...wanted]);
  return (
    <fieldset className={error === undefined ? 'permissions' : 'permissions field wrong'} tabIndex={-1} data-pointer={pointer}>
      <legend>{label}</legend>
      {error === undefined ? null : <p className="field-error">{error}</p>}
      <table className="permission-matrix">
        <thead>
          <tr>
            <th scope="col">{t.area}</th>
            {levels.map((level) => (
              <th key={level} scope="col">
                {t.levels[level]}
              </th>
            ))}
          </tr>
        </thead>
        {resourcesByGroup(offered).map(([group, resources]) => (
          <tbody key={group}>
            <tr>
              <th scope="colgroup" colSpan={4} className="permission-group">
                {t.groups[group]}
              </th>
            </tr>
            {resources.map((resource) => (
              <Area
                key={resource}
                name={`${id}-${resource}`}
                resource={resource}
                offered={offered}
                level={levelOf(held, resource)}
                disabled={disabled}
                onLevel={(level) => {
                  const names = [readOf(resource), writeOf(resource)];
                  set(names, level === 'none' ? [] : [level === 'read' ? readOf(resource) : writeOf(resource)]);
                }}
              />
            ))}
          </tbody>
        ))}
      </table>
      <div className="permission-others">
        {othersOf(offered).map((one) => (
          <div key={one} className={held.has(one) && isWeighty(one) ? 'permission-other weighty' : 'permission-other'}>
            <Tick label={permissionText(one)} disabled={disabled} checked={held.has(one)} onValue={(on) => set([one], on ? [one] : [])} />
          </div>
        ))}
      </div>
      <p className="muted">{t.weighty}</p>
    </fieldset>
  );
}

type AreaProps = {
  name: string;
  resource: string;
  offered: readonly string[];
  level: Level;
  disabled: boolean;
  onLevel(level: Level): void;
};

function Area({ name, resource, offered, level, disabled, onLevel }: AreaProps) {
  const area = areaName(resource);
  const permissionOf = { none: null, read: readOf(resource), write: writeOf(resource) };
  return (
    <tr>
      <th scope="row">{area}</th>
      {levels.map((one) => {
        const permission = permissionOf[one];
        const isChosen = one === level;
        return (
          <td key={one} className={isChosen && permission !== null && isWeighty(permission) ? 'weighty' : undefined}>
            {permission !== null && !offered.includes(permission) ? null : (
              <label className="permission-cell">
                <input
                  type="radio"
                  name={name}
                  aria-label={`${area}: ${t.levels[one]}`}
                  checked={isChosen}
                  disabled={disabled}
                  onChange={() => onLevel(one)}
                />
              </label>
            )}
          </td>
        );
      })}
    </tr>
  );
}
