import facts from 'virtual:task-facts';
import type { ReactNode } from 'react';
import { declaredOf } from '../../../../contract/declared.ts';
import { judgedPermission } from '../../../../contract/permission-dangers.ts';
import type { JsonObject } from '../../../../contract/run-events.ts';
import { ApiError } from '../../../api/client.ts';
import { ParameterFields } from '../../../parts/parameter-form.tsx';
import { useMay } from '../../../parts/shop.ts';
import { editorText as t } from '../../../texts/editor.ts';
import { permissionText } from '../../../texts/permissions.ts';
import { Button } from '../../../ui/button.tsx';
import { SelectField } from '../../../ui/field.tsx';
import { Section } from '../../../ui/page.tsx';
import { usesPermission } from '../uses-permission.ts';
import type { DraftValues } from './drafts.ts';
import { isNothing, needsOf } from './needs.ts';

type PanelProps = {
  values: DraftValues;
  /** What the version that the draft began from may do. */
  known: readonly string[];
  onRemove(permission: string): void;
  children: ReactNode;
};

/** What the version will be allowed to do, in words. */
export function PermissionPanel({ values: { permissions, source }, known, onRemove, children }: PanelProps) {
  return (
    <Section title={t.may}>
      {permissions.length === 0 ? <p className="muted">{t.mayNothing}</p> : null}
      <ul className="desk-permissions">
        {permissions.map((one) => {
          const name = permissionText(one);
          const isNew = !known.includes(one);
          const isDangerous = judgedPermission(one).dangers.length > 0;
          return (
            <li key={one} className={isNew ? (isDangerous ? 'added dangerous' : 'added') : undefined}>
              <span title={one}>
                {isNew ? '+ ' : ''}
                {name}
              </span>
              <span className="muted">{usesPermission(one, source) ? t.used : t.notUsed}</span>
              <button type="button" className="button quiet" aria-label={t.removePermission(name)} onClick={() => onRemove(one)}>
                ✕
              </button>
            </li>
          );
        })}
      </ul>
      {children}
    </Section>
  );
}

type NeededProps = { values: DraftValues; change(part: Partial<DraftValues>): void };

/** What the source names and the draft does not declare yet, with the one act that declares it. */
export function Needed({ values, change }: NeededProps) {
  const needs = needsOf(values, useMay());
  if (isNothing(needs)) return null;
  const addAll = (): void => {
    const { permissions, http_allow, secrets } = values;
    change({
      permissions: [...permissions, ...needs.permissions],
      http_allow: needs.http_allow.length === 0 ? http_allow : needs.http_allow,
      secrets: [...secrets.filter((name) => name.trim() !== ''), ...needs.secrets],
    });
  };
  return (
    <Section title={t.needed} act={<Button onClick={addAll}>{t.addAll}</Button>}>
      <ul className="desk-needed">
        {declaredOf({ ...needs, mail_to: [], may_start: [] }).map((one) => (
          <li key={one}>{permissionText(one)}</li>
        ))}
      </ul>
    </Section>
  );
}

/** Only what this admin may do can be declared. */
export function PermissionPicker({ held, onPick }: { held: readonly string[]; onPick(permission: string): void }) {
  const may = useMay();
  const open = facts.permissions.filter((one) => may(one) && !held.includes(one));
  if (open.length === 0) return null;
  return (
    <SelectField
      label={t.addPermission}
      value=""
      options={[['', t.choosePermission], ...open.map((one) => [one, permissionText(one)] as const)]}
      onValue={(one) => one !== '' && onPick(one)}
    />
  );
}

type GivenProps = {
  declarations: DraftValues['parameters'];
  given: JsonObject;
  onGiven(values: JsonObject): void;
  error: unknown;
  /** There is a plan, which is looked at first. */
  isRun: boolean;
};

/** What the dry run is given; what the server refuses stands at its field. */
export function GivenValues({ declarations, given, onGiven, error, isRun }: GivenProps) {
  const named = declarations.filter(({ name }) => name !== '');
  if (named.length === 0) return null;
  const errors = error instanceof ApiError ? error.errors : [];
  return (
    <details key={String(isRun)} className="given-values" open={!isRun || errors.length > 0}>
      <summary>{t.values}</summary>
      <div className="fields">
        <ParameterFields
          declarations={named}
          values={given}
          onValues={onGiven}
          errorAt={(pointer) => errors.find((one) => one.pointer === pointer)?.detail}
        />
      </div>
    </details>
  );
}
