import type { Blueprint, Problem } from '../../blueprint/types.js'
import type { Advice } from '../../plan/advice/advice.js'
import type { FeatureFacts } from '../../plan/project.js'
import type { PlanOptions } from '../../plan/status.js'
import type { RuntimeForm } from '../../write/base/lock-file.js'
import type { Checked } from '../../write/compile/compile-check.js'
import type { ConfigOverrides } from '../../write/feature.js'
import type { Handover } from '../../write/ownership.js'
import type { PreparedPlan } from '../../write/prepare.js'
import type { NotInstalled } from '../../write/project/installed-packages.js'
import type { Taken } from '../../write/run/take-back.js'
import type { Features } from '../context.js'

export interface GenerateOptions extends Omit<PlanOptions, 'parses'> {
  readonly features: Features
  /** False: plan, and write nothing. */
  readonly isWriting: boolean
  /** While nothing is written: stop where a run that writes would stop. */
  readonly isRehearsal?: boolean
  /** Write nothing while the plan stops at a conflict, or ends signing in. For runs that nobody asked for by name. */
  readonly onlyClean?: boolean
  /** In place of what config/ says, which is changed with it. */
  readonly config?: ConfigOverrides
  /** Leave every other file as it is. */
  readonly only?: (path: string, facts: FeatureFacts) => boolean
  /** A file that `svc eject` or `svc adopt` passes on. */
  readonly handover?: Handover
  /** `<table>.<column>=<value>`: what rows that exist get in a column that asks for a value. */
  readonly fills?: readonly string[] | undefined
  /** Whose the runtime is after it; absent: whose it was, and in a new project the package's. */
  readonly runtime?: RuntimeForm
  /** Look afterwards for lines of the developer's that do not compile. */
  readonly isCompiling?: boolean
  /** Prisma's client is made by this run, whatever needs it. */
  readonly wantsClient?: boolean
  /** Called at each step, for runs that take long. */
  readonly onStep?: (step: string) => void
}

/** Work that takes longer than all before it, and that the answer does not wait for. */
export interface Rest {
  readonly makesClient: boolean
  /** Code of the developer's, which the server runs, uses the client that is made then. */
  readonly isServed: boolean
  readonly finish: () => Promise<Finished>
}

export interface Finished {
  /** Lines of the developer's that do not compile with what was written; null: they were not compiled. */
  readonly checked: Checked | null
  /** Why Prisma's client was not made; null: it was, or need not be. */
  readonly clientFailure: string | null
}

/** The outcome of a run. Every report is made from this. */
export type Outcome =
  | { readonly kind: 'problems'; readonly problems: readonly Problem[] }
  | {
      readonly kind: 'planned'
      readonly blueprint: Blueprint
      readonly facts: FeatureFacts
      readonly prepared: PreparedPlan
      /** The changes of a killed run, taken back before this one. */
      readonly repaired: Taken | null
      readonly isWritten: boolean
      /** Work that is left for after the answer; null: none. */
      readonly rest: Rest | null
      /** `prisma/client` is not what `prisma/schema` asks for, and is left to what needs it. */
      readonly isClientStale: boolean
      /** The packages that package.json asks for and `npm install` has not brought; null: none. */
      readonly notInstalled: NotInstalled | null
      /** Places where policies compare with a null that is written out. */
      readonly nulls: readonly Advice[]
      /** Files of the developer that features cannot read now. */
      readonly unread: readonly Advice[]
    }
