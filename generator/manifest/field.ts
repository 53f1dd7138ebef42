/** The base of every field: a frozen description, and modifiers that return a new field. */
export interface Field {
  readonly type: 'field'
  readonly definition: FieldDefinition
  /** Only for the compiler: what its values are like. */
  readonly like?: string
  /** Only for the compiler: `false` when it is hidden. */
  readonly shown?: boolean
  /** May be empty: `null` in JSON and NULL in the database. */
  nullable(): this
  /** Shown, never taken from a request body. Give it a default, or fill it in `app/Hooks`. */
  readonly(): this
  /** A column for your own code: never in a response, never taken from a request body. */
  hidden(): this & { readonly shown?: false }
  /** Filled by the database (a default that is no value, a trigger): shown, and never written. */
  generated(): this
  /** One sentence for people: a comment in the emitted code, a description in the schema. */
  describe(text: string): this
  /** Its name for people: in the document, in `/filters` and on the page `/docs`. */
  label(text: string): this
  /** What an empty input of a form shows. */
  placeholder(text: string): this
  /** The name it had before, so that the migration renames the column and keeps its values. */
  renamedFrom(name: string): this
  /**
   * What the database calls its column, where that is another name: `ordered_at: date().column('Order Date')`. Requests,
   * policies, hooks and Prisma say the field's name; SQL, and with it `db`, the column's.
   */
  column(name: string): this
}

/** A field in data: what its kind and its modifiers said, nothing guessed. */
export interface FieldDefinition {
  readonly kind: string
  readonly nullable?: boolean
  readonly unique?: boolean
  readonly readonly?: boolean
  readonly hidden?: boolean
  readonly generated?: boolean
  readonly enumType?: string
  readonly folded?: boolean
  readonly default?: unknown
  readonly min?: number
  readonly max?: number
  readonly allowEmpty?: boolean
  readonly rules?: readonly TextRule[]
  readonly sample?: string
  readonly options?: readonly string[]
  readonly precision?: number
  readonly scale?: number
  readonly description?: string
  readonly label?: string
  readonly placeholder?: string
  readonly renamedFrom?: string
  readonly column?: string
}

/** A rule of a field's text, besides its kind and its length. */
export type TextRule =
  | { readonly name: 'startsWith' | 'endsWith'; readonly text: string }
  | {
      readonly name: 'regex'
      /** As a `RegExp` has them. */
      readonly source: string
      readonly flags: string
      /** After "must be", to who sends another text. */
      readonly says?: string
    }

type ModifierName =
  | Exclude<keyof Field, 'type' | 'definition' | 'like' | 'shown'>
  | 'default'
  | 'unique'
  | 'min'
  | 'max'
  | 'startsWith'
  | 'endsWith'
  | 'regex'
  | 'sample'
  | 'allowEmpty'
  | 'folded'
  | 'enumType'

/** Modifiers by name. They live on a prototype, so that two equal fields are equal values. */
const MODIFIERS: Record<
  ModifierName,
  (this: Field, argument: unknown, options?: unknown) => Field
> = {
  nullable: changing(() => ({ nullable: true })),
  readonly: changing(() => ({ readonly: true })),
  hidden: changing(() => ({ hidden: true })),
  generated: changing(() => ({ generated: true })),
  unique: changing(() => ({ unique: true })),
  folded: changing(() => ({ folded: true })),
  default: changing((value) => ({ default: value })),
  // Wrong types are kept as they are: a manifest in plain JavaScript gets a problem from the blueprint.
  min: changing((value) => ({ min: value as number })),
  max: changing((value) => ({ max: value as number })),
  startsWith: ruling((text) => ({ name: 'startsWith', text: text as string })),
  endsWith: ruling((text) => ({ name: 'endsWith', text: text as string })),
  regex: ruling(regexRule),
  sample: changing((value) => ({ sample: value as string })),
  allowEmpty: changing(() => ({ allowEmpty: true })),
  enumType: changing((value) => ({ enumType: value as string })),
  describe: changing((value) => ({ description: value as string })),
  label: changing((value) => ({ label: value as string })),
  placeholder: changing((value) => ({ placeholder: value as string })),
  renamedFrom: changing((value) => ({ renamedFrom: value as string })),
  column: changing((value) => ({ column: value as string })),
}

function changing(change: (argument: unknown) => Partial<FieldDefinition>) {
  return function (this: Field, argument: unknown): Field {
    return freeze({ ...this.definition, ...change(argument) }, Object.getPrototypeOf(this))
  }
}

/** A text has to pass all of them. */
function ruling(rule: (argument: unknown, options: unknown) => TextRule) {
  return function (this: Field, argument: unknown, options?: unknown): Field {
    const { rules = [] } = this.definition
    const all = Object.freeze([...rules, Object.freeze(rule(argument, options))])
    return freeze({ ...this.definition, rules: all }, Object.getPrototypeOf(this))
  }
}

/** A manifest is run beside svc, where `RegExp` is another one: what it is asked for is the same. */
function regexRule(pattern: unknown, options: unknown): TextRule {
  const { source, flags } = Object(pattern) as RegExp
  const { says } = Object(options) as { readonly says?: string }
  return { name: 'regex', source, flags, ...(says === undefined ? {} : { says }) }
}

function freeze<Kind extends Field>(definition: FieldDefinition, prototype: object): Kind {
  const value = { type: 'field', definition: Object.freeze(definition) }
  // Object.create is untyped; the prototype holds exactly the modifiers that `Kind` names.
  return Object.freeze(Object.assign(Object.create(prototype), value)) as Kind
}

/** A function that makes fields with these modifiers and those that every field has. */
export function fieldMaker(extra: readonly ModifierName[]) {
  const names: readonly ModifierName[] = [
    'nullable',
    'readonly',
    'hidden',
    'generated',
    'describe',
    'label',
    'placeholder',
    'renamedFrom',
    'column',
    ...extra,
  ]
  const prototype = Object.freeze(Object.fromEntries(names.map((name) => [name, MODIFIERS[name]])))
  return <Kind extends Field>(definition: FieldDefinition): Kind =>
    freeze<Kind>({ ...definition }, prototype)
}
