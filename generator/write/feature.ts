import type { Blueprint, Problem } from '../blueprint/types.js'
import type { ConfigKeys } from '../load/config-keys.js'
import type { Advice } from '../plan/advice/advice.js'
import type { PlannedFeature } from '../plan/feature.js'
import type { FeatureFacts } from '../plan/project.js'
import type { Tidied } from '../source/tidy.js'
import type { FolderFile, OwnFolder } from './base/own-folder.js'
import type { Base } from './base/snapshot.js'
import type { Target } from './target.js'

/** All that a feature is, but for its commands. */
export interface Feature extends PlannedFeature {
  readonly reader?: FeatureReader
}

/** What a feature asks of the developer's own files. */
export interface FeatureReader {
  /** What its file of config/ says: only GraphQL has one. `instead` is what the command line says in place of it. */
  readonly readConfig?: (
    root: string,
    blueprint: Blueprint,
    instead: ConfigOverrides,
  ) => Promise<FeatureFacts | { readonly problems: readonly Problem[] }>
  /** Its keys in what `config/svc.ts` exports, also while it is off. */
  readonly configKeys?: ConfigKeys
  /** What else it must know; `facts` is what is known already. */
  readonly readCode?: (
    target: Target,
    blueprint: Blueprint,
    facts: FeatureFacts,
  ) => Promise<FeatureFacts>
  /** What it cannot know now, and why: for who runs svc. */
  readonly advice?: (target: Target, blueprint: Blueprint) => Promise<readonly Advice[]>
  /** Returns true if the config lets the server answer the feature's own routes: only the document can be switched off there. */
  readonly isServed?: (target: Target, blueprint: Blueprint) => Promise<boolean>
  /** A folder that it writes whole each time; null: there is none. */
  readonly folder?: (blueprint: Blueprint) => RenderedFolder | null
}

/** What a command may say in place of config/, by feature; each says in its folder what there is. */
// oxlint-disable-next-line typescript/no-empty-interface
export interface ConfigOverrides {}

/** What a run has read already, and the features that the rest of the project has. */
export interface RenderedWith {
  readonly base: Base
  readonly tidied?: Tidied
  readonly features: readonly PlannedFeature[]
}

export interface RenderedFolder extends OwnFolder {
  readonly render: (
    target: Target,
    blueprint: Blueprint,
    read: RenderedWith,
  ) => Promise<readonly FolderFile[]>
}
