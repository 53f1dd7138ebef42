/** Names that the policy and the hooks of one repository have. */
export interface CodeNames {
  /** Gates, by what they gate; null: the policy runs only inside the server, so every field may have one. */
  readonly gates: {
    readonly canSee: ReadonlySet<string>
    readonly canStore: ReadonlySet<string>
    readonly canUpdate: ReadonlySet<string>
    /** Fields that `canSee` shows in some rows, and as null in others. */
    readonly byRow: ReadonlySet<string>
  } | null
  /** Columns that hooks fill, always and on store: a body that has them is refused. */
  readonly fill: ReadonlySet<string>
  readonly fillOnStore: ReadonlySet<string>
  /** Relations whose attach or detach a callback does. */
  readonly attachCallback: ReadonlySet<string>
  readonly detachCallback: ReadonlySet<string>
}

const none: ReadonlySet<string> = new Set()

export const noNames: CodeNames = {
  gates: { canSee: none, canStore: none, canUpdate: none, byRow: none },
  fill: none,
  fillOnStore: none,
  attachCallback: none,
  detachCallback: none,
}
