import type { Blueprint, Entity } from '../../blueprint/types.js'
import { hashOf } from '../../source/hash-of.js'
import { fits, tidy, type Tidied } from '../../source/tidy.js'
import { describeProject, type DescribedProject } from '../describe-project.js'
import type { PlannedFeature } from '../feature.js'
import { prismaFiles } from '../prisma-files.js'
import { entityLines, type Project, type ProjectOptions } from '../project.js'
import type { Rendered } from '../status.js'
import { layOut } from '../template.js'
import { withImports } from './imports.js'
import type { EntityOutput, Output, ProjectOutput } from './output.js'
import { outputs } from './outputs.js'
import { runtimeFiles } from './runtime-files.js'
import type { Imports } from './slots.js'

/** A file of the project as svc would write it today. */
export interface RenderedFile extends Rendered {
  /** The source for people: a manifest file, `manifest/`, or `runtime/`. */
  readonly source: string
}

/** Renders the whole project. Pure: the same blueprint and options give the same files, whatever is on the disk. */
export async function renderProject(
  blueprint: Blueprint,
  features: readonly PlannedFeature[],
  options: ProjectOptions,
): Promise<RenderedFile[]> {
  const project = describeProject(blueprint, features, options)
  // A deleted file of the developer's is still one that svc knows: it stays deleted.
  const whole = describeProject(blueprint, features, { ...options, deleted: new Set() })
  const others = otherFiles(project)
  const made = { project: madeOf(project), whole: madeOf(whole) }
  // Files that every project has, so that features can be switched on there.
  const alwaysOutputs = features.flatMap(({ always = [] }) => always)
  const ofFeatures = project.features.flatMap((feature) => feature.outputs ?? [])
  const rendered = [...outputs, ...alwaysOutputs, ...ofFeatures].flatMap((output) =>
    output.owner === 'you'
      ? drafts(output, whole, made.whole)
      : drafts(output, project, made.project),
  )
  const prisma = prismaFiles(blueprint).map((file) => ({ ...file, source: 'manifest/' }))
  const files = await Promise.all(rendered)
  const own = project.features.reduce(
    (all, { replace }) => replace?.(all, project) ?? all,
    files as readonly RenderedFile[],
  )
  const emitted = [...own, ...prisma, ...(await others)]
  if (project.runtime !== null) return emitted
  return [...emitted, ...runtimeFiles(emitted, options.ownImports, new Set(options.ejected))]
}

async function otherFiles(project: DescribedProject): Promise<readonly RenderedFile[]> {
  const made = project.features.flatMap(({ files }) => files ?? [])
  const all = await Promise.all(made.map(async (files) => files(project)))
  return all.flat().map((file) => ({ ...file, source: 'manifest/' }))
}

function drafts(output: Output, project: Project, made: MadeOf): Promise<RenderedFile>[] {
  if (output.of === 'project') {
    return output.when?.(project) === false ? [] : [renderOnce(output, project)]
  }
  const entities = project.entities.filter((entity) => output.when?.(entity, project) !== false)
  return entities.map((entity) => renderFor(output, entity, project, made(entity)))
}

function renderOnce(output: ProjectOutput, project: Project): Promise<RenderedFile> {
  const path = output.at?.(project) ?? output.path
  const { imports } = project.slots
  return finish(
    { output, path, source: 'manifest/', imports },
    output.view(project),
    project.tidied,
  )
}

async function renderFor(
  output: EntityOutput,
  entity: Entity,
  project: Project,
  made: string,
): Promise<RenderedFile> {
  const path = output.at?.(entity, project) ?? output.path.replace('Name', entity.name)
  const { tidied } = project
  const known = tidied?.again(path, made) ?? null
  const { source } = entity
  if (known !== null) return { path, content: known, owner: output.owner, source }
  const { imports } = entityLines(entity, project)
  const file = await finish({ output, path, source, imports }, output.view(entity, project), tidied)
  tidied?.made(path, made, file.content)
  return file
}

type MadeOf = (entity: Entity) => string

/** All that the files of a repository are made of, as a hash. */
function madeOf(project: Project): MadeOf {
  if (project.tidied === undefined) return () => ''
  const { entities, blueprint, auth, deleted, derived, features } = project
  const others = entities.map(({ key, name, variable, plural }) => [key, name, variable, plural])
  const names = features.map(({ name }) => name)
  const { database, pivots, features: said } = blueprint
  const surroundings = hashOf([database, others, pivots, said, names, auth?.key, deleted, derived])
  const hashes = new Map(entities.map((entity) => [entity, hashOf([surroundings, entity])]))
  return (entity) => hashes.get(entity) ?? ''
}

interface Making {
  readonly output: Output
  readonly path: string
  readonly source: string
  readonly imports: Imports
}

async function finish(
  { output, path, source, imports }: Making,
  view: object,
  tidied: Tidied | undefined,
): Promise<RenderedFile> {
  const text = withImports(layOut(output.path, view), imports[output.path] ?? [])
  if (output.isTidy === true && fits(text))
    return { path, content: text, owner: output.owner, source }
  const known = tidied?.find(path, text) ?? null
  const content = known ?? (await tidy(path, text))
  if (known === null) tidied?.note(path, text, content)
  return { path, content, owner: output.owner, source }
}
