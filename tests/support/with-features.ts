import {
  buildBlueprint as buildBlueprintWith,
  type BlueprintOptions,
} from '../../generator/blueprint/blueprint.js'
import type { Blueprint, Database } from '../../generator/blueprint/types.js'
import type { GenerateOptions } from '../../generator/commands/change/generate-options.js'
import { generate as generateWith } from '../../generator/commands/change/generate-project.js'
import { readBlueprint as readBlueprintWith } from '../../generator/commands/read-blueprint.js'
import { features } from '../../generator/features/index.js'
import { loadManifest as loadManifestWith } from '../../generator/load/load-manifest.js'
import type { Manifest } from '../../generator/manifest/manifest.js'
import { keepersOf } from '../../generator/migrations/keepers/kept.js'
import { describeProject as describeProjectWith } from '../../generator/plan/describe-project.js'
import type { ProjectOptions } from '../../generator/plan/project.js'
import { renderProject as renderProjectWith } from '../../generator/plan/render/render.js'

/* The core with the features of svc, as `cli.ts` puts them together. */

export const loadManifest = (root: string, print?: (text: string) => void) =>
  loadManifestWith(root, features, print)

export const buildBlueprint = (manifest: Manifest, options: Omit<BlueprintOptions, 'features'>) =>
  buildBlueprintWith(manifest, { ...options, features })

export const describeProject = (blueprint: Blueprint, options: ProjectOptions) =>
  describeProjectWith(blueprint, features, options)

export const renderProject = (blueprint: Blueprint, options: ProjectOptions) =>
  renderProjectWith(blueprint, features, options)

export const generate = (root: string, options: Omit<GenerateOptions, 'features'>) =>
  generateWith(root, { features, ...options })

export const readBlueprint = (root: string) => readBlueprintWith(root, features)

/** What migrations are planned with. */
export const migrating = (database: Database) => ({ database, keepers: keepersOf(features) })
