// Inside these declarations a relative import declaration is not resolved, while an import type is.
declare module 'virtual:operations' {
  const operations: import('../contract/calls.ts').Operation[];
  export default operations;
}

declare module 'virtual:script-reference' {
  const reference: import('./editor/script-reference.ts').ScriptReference;
  export default reference;
}

declare module 'virtual:task-facts' {
  const facts: {
    /** All permissions that a task may be granted. */
    permissions: readonly import('../contract/permissions.ts').Permission[];
    /** The limits of a run whose task sets none. */
    limits: import('../contract/runner.ts').Limits;
    /** The ends of a run after which it may get another attempt. */
    retried: readonly import('../contract/tasks.ts').TaskSettings['retry']['on'][number][];
    /** The permission that each call of a script needs, by `resource.operation`. */
    needs: Readonly<Record<string, string>>;
    /** The fields of each event's data. */
    eventFields: Record<import('../contract/events.ts').EventType, readonly string[]>;
  };
  export default facts;
}

declare module 'virtual:script-types' {
  const types: import('./editor/script-types.ts').ScriptTypes;
  export default types;
}
