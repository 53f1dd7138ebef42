/** Policies and hooks as they are called; `app/` has their types. */

export type Row = Record<string, unknown>

/** Questions that policies answer about records; a feature adds its own by `declare module`. */
export interface Questions {
  readonly show: true
  readonly store: true
  readonly update: true
  readonly updateTo: true
  readonly delete: true
}

export type Question = keyof Questions

type Rule = (user: unknown) => unknown

type Gates = Readonly<Record<string, Rule | undefined>>

type PivotGate = (user: unknown, pivot: Row) => unknown

type PivotGates = Readonly<Record<string, PivotGate | { readonly __invoke: PivotGate } | undefined>>

/** Answers are not trusted: anything but true and conditions denies. */
export interface AnyPolicy extends Readonly<Partial<Record<Question, Rule>>> {
  readonly canSee?: Gates
  readonly canStore?: Gates
  readonly canUpdate?: Gates
  readonly canAttach?: PivotGates
  readonly canDetach?: PivotGates
  readonly canSync?: PivotGates
}

interface AnyContext {
  readonly user: unknown
}

type Run = (context: AnyContext, subject: unknown) => unknown

type Replace = (request: AnyContext, repository: unknown, row: Row) => unknown

type Callbacks = Readonly<Record<string, Replace | { readonly __invoke: Replace } | undefined>>

type AnyFill = Readonly<Record<string, ((context: AnyContext, values: Row) => unknown) | undefined>>

/** By field, what is wrong with it. */
type FoundErrors = Readonly<Record<string, readonly string[] | undefined>> | null | undefined | void

export interface AnyHooks {
  readonly computed?: Readonly<Record<string, Run | { readonly __invoke: Run } | undefined>>
  readonly fill?: AnyFill
  readonly fillOnStore?: AnyFill
  readonly validate?: (
    context: AnyContext,
    values: Row,
    before: Row | null,
  ) => FoundErrors | Promise<FoundErrors>
  readonly beforeStore?: (context: AnyContext, values: Row) => unknown
  readonly afterStore?: (context: AnyContext, row: Row) => unknown
  readonly beforeUpdate?: (context: AnyContext, row: Row, values: Row) => unknown
  readonly afterUpdate?: (context: AnyContext, row: Row) => unknown
  readonly beforeDelete?: (context: AnyContext, row: Row) => unknown
  readonly afterDelete?: (context: AnyContext, row: Row) => unknown
  readonly attachCallback?: Callbacks
  readonly detachCallback?: Callbacks
}
