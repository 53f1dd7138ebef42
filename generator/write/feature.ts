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

/** A feature's questions about the developer's own files. */
export interface FeatureReader {
  /** What its file of config/ says: only GraphQL has one. `instead` is what the command line says in place of it. */
  readonly readConfig?: (
    root: string,
    blueprint: Blueprint,
    instead: ConfigOverrides,
  ) => Promise<FeatureFacts | { readonly problems: readonly Problem[] }>
  /** Its keys in what `config/svc.ts` exports, also while it is off. */
  readonly configKeys?: ConfigKeys
  /** Reads further facts; `facts` has those that are known already. */
  readonly readCode?: (
    target: Target,
    blueprint: Blueprint,
    facts: FeatureFacts,
  ) => Promise<FeatureFacts>
  /** Says what it cannot know now, and why: for the person who runs svc. */
  readonly advice?: (target: Target, blueprint: Blueprint) => Promise<readonly Advice[]>
  /** Returns true if the config lets the server answer the feature's own routes: only the document can be switched off there. */
  readonly isServed?: (target: Target, blueprint: Blueprint) => Promise<boolean>
  /** A folder that it writes whole each time; null: there is none. */
  readonly folder?: (blueprint: Blueprint) => RenderedFolder | null
}

/** Options of commands in place of config/, by feature; each feature's folder declares its own. */
// oxlint-disable-next-line typescript/no-empty-interface
export interface ConfigOverrides {}

/** Facts that a run has read already, and the features of the rest of the project. */
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
