import type { Blueprint, Entity } from '../blueprint/types.js'
import { openapiFiles } from './openapi/files.js'
import { outputs, type EntityOutput, type Output, type ProjectOutput } from './outputs.js'
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
  const rendered = outputs.flatMap((output) =>
    drafts(output, output.owner === 'you' ? whole : project),
  )
  const prisma = prismaFiles(blueprint).map((file) => ({ ...file, source: 'manifest/' }))
  const files = await Promise.all(rendered)
  const published = publishedFiles(files, new Set(options.published ?? []))
  const own = forwardMails(files, new Set(options.present ?? []))
  const openapi = openapiFiles(project).map((file) => ({ ...file, source: 'manifest/' }))
  const emitted = [...own, ...published, ...prisma, ...openapi]
  return [...emitted, ...runtimeFiles(emitted, options.ownImports, new Set(options.ejected))]
}

function drafts(output: Output, project: Project): Promise<RenderedFile>[] {
  if (output.of === 'project') {
    return output.when?.(project) === false ? [] : [renderOnce(output, project)]
  }
  const entities = project.entities.filter((entity) => output.when?.(entity, project) !== false)
  return entities.map((entity) => renderFor(output, entity, project))
}

function renderOnce(output: ProjectOutput, project: Project): Promise<RenderedFile> {
  const path = output.at?.(project) ?? output.path
  return finish(output, path, output.view(project), 'manifest/', project.tidied)
}

function renderFor(output: EntityOutput, entity: Entity, project: Project): Promise<RenderedFile> {
  const path = output.at?.(entity, project) ?? output.path.replace('Name', entity.name)
  return finish(output, path, output.view(entity, project), entity.source, project.tidied)
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
