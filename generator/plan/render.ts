import type { Blueprint, Entity } from '../blueprint/types.js'
import { hashOf } from './hash-of.js'
import type { EntityOutput, Output, ProjectOutput } from './output.js'
import { outputs } from './outputs.js'
import { prismaFiles } from './prisma/files.js'
import { describeProject, type Project, type ProjectOptions } from './project.js'
import { forwardMails, publishedFiles } from './publish.js'
import { runtimeFiles } from './runtime-files.js'
import type { Rendered } from './status.js'
import { layOut } from './template.js'
import { fits, tidy, type Tidied } from './tidy.js'

/** A file of the project as svc would write it today. */
export interface RenderedFile extends Rendered {
  /** Where it comes from, for people: a manifest file, `manifest/`, or `runtime/`. */
  readonly source: string
}

/** Renders the whole project. Pure: the same blueprint and options give the same files, whatever is on the disk. */
export async function renderProject(
  blueprint: Blueprint,
  options: ProjectOptions,
): Promise<RenderedFile[]> {
  const project = describeProject(blueprint, options)
  // A deleted file of the developer's is still one that svc knows: it stays deleted.
  const whole = describeProject(blueprint, { ...options, deleted: new Set() })
  const described = documents(project)
  const made = { project: madeOf(project), whole: madeOf(whole) }
  const rendered = outputs.flatMap((output) =>
    output.owner === 'you'
      ? drafts(output, whole, made.whole)
      : drafts(output, project, made.project),
  )
  const prisma = prismaFiles(blueprint).map((file) => ({ ...file, source: 'manifest/' }))
  const files = await Promise.all(rendered)
  const published = publishedFiles(files, new Set(options.published ?? []))
  const own = forwardMails(files, new Set(options.present ?? []))
  const emitted = [...own, ...published, ...prisma, ...(await described)]
  return [...emitted, ...runtimeFiles(emitted, options.ownImports, new Set(options.ejected))]
}

/** Loaded where the manifest asks for a document. */
async function documents(project: Project): Promise<readonly RenderedFile[]> {
  if (project.blueprint.openapi !== true) return []
  const { openapiFiles } = await import('./openapi/files.js')
  const files = await openapiFiles(project)
  return files.map((file) => ({ ...file, source: 'manifest/' }))
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
  return finish(output, path, output.view(project), 'manifest/', project.tidied)
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
  const kept = output.keepsLines?.(entity) === true ? { keepsLines: true } : {}
  const { source } = entity
  if (known !== null) return { path, content: known, owner: output.owner, source, ...kept }
  const file = await finish(output, path, output.view(entity, project), source, tidied)
  tidied?.made(path, made, file.content)
  return { ...file, ...kept }
}

type MadeOf = (entity: Entity) => string

/** All that the files of a repository are made of, as a hash. */
function madeOf(project: Project): MadeOf {
  if (project.tidied === undefined) return () => ''
  const { entities, blueprint, auth, deleted, graphql, graphqlTypes } = project
  const others = entities.map(({ key, name, variable, plural }) => [key, name, variable, plural])
  const facts = [others, blueprint.pivots, auth?.key, deleted, graphql, graphqlTypes]
  const surroundings = hashOf(facts)
  const hashes = new Map(entities.map((entity) => [entity, hashOf([surroundings, entity])]))
  return (entity) => hashes.get(entity) ?? ''
}

async function finish(
  output: Output,
  path: string,
  view: object,
  source: string,
  tidied: Tidied | undefined,
): Promise<RenderedFile> {
  const text = layOut(output.path, view)
  if (output.isTidy === true && fits(text))
    return { path, content: text, owner: output.owner, source }
  const known = tidied?.find(path, text) ?? null
  const content = known ?? (await tidy(path, text))
  if (known === null) tidied?.note(path, text, content)
  return { path, content, owner: output.owner, source }
}
