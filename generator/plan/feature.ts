import type { CheckedFeature } from '../blueprint/feature.js'
import type { Blueprint, Entity } from '../blueprint/types.js'
import type { Keeper } from '../migrations/keepers/kept.js'
import type { Advice } from './advice/advice.js'
import type { Move } from './compare/move.js'
import type { Contribution, Derived, FeatureFacts, Project } from './project.js'
import type { Output } from './render/output.js'
import type { Slots } from './render/slots.js'
import type { Rendered } from './status.js'
import type { Texts } from './texts.js'

/** A feature, as it appears in the files of a project. */
export interface PlannedFeature extends Contribution, CheckedFeature {
  readonly keeper?: Keeper
  /** Absent: the manifest asks for it, so the blueprint has something to say of it. */
  readonly isOn?: (project: Project) => boolean
  /** Derives its facts for all files: its part of `Derived`. */
  readonly derive?: (blueprint: Blueprint, facts: FeatureFacts) => Partial<Derived>
  /** The files that are its own. */
  readonly outputs?: readonly Output[]
  /** Files that a project has even while it is off: where it is switched on. */
  readonly always?: readonly Output[]
  /** Files that lie elsewhere than they did when svc wrote them: only the config of GraphQL names a folder. */
  readonly moves?: (
    base: ReadonlyMap<string, string>,
    rendered: readonly string[],
  ) => readonly Move[]
  /** Files that are not made from templates. */
  readonly files?: (project: Project) => Promise<readonly Rendered[]>
  /** Files as they are where the developer has made some of them their own: only controllers of signing in are published. */
  readonly replace?: <File extends Rendered>(
    files: readonly File[],
    project: Project,
  ) => readonly File[]
  /** Its lines in code of others. */
  readonly slots?: (project: Project) => Partial<Slots>
  /** Its texts in files for people, and for whoever runs the server. */
  readonly texts?: (project: Project) => Texts
  /** Packages that do the same whenever they are loaded: `svc dev` loads them before a server starts. */
  readonly preloaded?: readonly string[]
  /** A page of it for people, which `svc dev` names. */
  readonly page?: string
  /** Variables with which a server starts, and should not, or costs more than it should: for `svc doctor --production`. */
  readonly settings?: readonly Setting[]
  /** What of `config/svc.ts` hurts, by what it exports; only a page for everybody does. */
  readonly configAdvice?: (exported: Readonly<Record<string, unknown>>) => readonly Advice[]
  /** Describes a repository's use of it, for `svc describe`; null: none. */
  readonly has?: (entity: Entity, blueprint: Blueprint) => string | null
  /** Files of a repository that are the developer's because of it, for `svc describe`: only `app/Filters`. */
  readonly yours?: (entity: Entity, blueprint: Blueprint) => readonly string[]
  /** Returns advice about the manifest for production: for `svc doctor`. */
  readonly advice?: (blueprint: Blueprint) => readonly Advice[]
  /** What policies forget, for `svc doctor`: only a trash adds methods that deny until they are written. */
  readonly policyAdvice?: (
    policies: readonly PolicyFile[],
    blueprint: Blueprint,
  ) => readonly Advice[]
  /** The only test that asks every policy, and what the manifest says to have it: for `svc doctor`. */
  readonly policyTest?: { readonly path: string; readonly asked: string }
  /**
   * True if a manifest of an existing database switches it off: only the authorization matrix wants
   * rows of every table, which some of those refuse.
   */
  readonly isOffInExisting?: true
  /** Returns its option in `svc init` for an existing table, by its fields; null: none. */
  readonly ofExisting?: (fields: readonly ExistingField[]) => ExistingWords | null
}

export interface PolicyFile {
  readonly path: string
  readonly content: string
}

/** As the manifest says it: `deleted_at: dateTime().nullable()`. */
export interface ExistingField {
  readonly name: string
  readonly text: string
}

export interface ExistingWords {
  /** An option of the repository, or a comment in its place. */
  readonly line: string
  /** After the address of the repository, in what the command prints. */
  readonly says?: string
  /** The unique keys of the database are others than the manifest can say then. They hold. */
  readonly leavesKeys?: true
}

export interface Setting {
  readonly rule: string
  /** Wrong, not only costly. */
  readonly isWrong?: true
  /** The variable. */
  readonly name: string
  /** Asked where the feature is on. */
  readonly isFound: (value: string | undefined, blueprint: Blueprint) => boolean
  /** After the name, in a sentence. */
  readonly message: string
  readonly fix: string
}

export const isSet = (value: string | undefined) => value !== undefined && value !== ''

/** The setting of whatever counts the requests of an address. */
export const unsetProxies = {
  rule: 'proxies',
  name: 'TRUSTED_PROXIES',
  isFound: (value: string | undefined) => !isSet(value),
  message: 'is not set: behind a proxy all callers count as one, and one of them shuts out all',
  fix: 'the number of proxies that add to X-Forwarded-For; 0 where there is none',
} as const satisfies Setting

/** The files that are theirs. */
export const ownOutputs = (features: readonly PlannedFeature[]): readonly Output[] =>
  features.flatMap(({ outputs = [], always = [] }) => [...outputs, ...always])

export const isInBlueprint = (name: string, { features }: Blueprint) =>
  Object.hasOwn(features, name)
