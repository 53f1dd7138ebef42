import type { Blueprint, Entity } from '../blueprint/types.js'
import { outputs, type EntityOutput, type Output, type ProjectOutput } from './outputs.js'
import { prismaFiles } from './prisma/files.js'
import { describeProject, type Project, type ProjectOptions } from './project.js'
import { runtimeFiles } from './runtime-files.js'
import type { Rendered } from './status.js'
import { layOut } from './template.js'
import { fits, tidy } from './tidy.js'

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
  const rendered = outputs.flatMap((output) => drafts(output, project))
  const prisma = prismaFiles(blueprint).map((file) => ({ ...file, source: 'manifest/' }))
  return [...(await Promise.all(rendered)), ...prisma, ...runtimeFiles(project)]
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
  return finish(output, path, output.view(project), 'manifest/')
}

function renderFor(output: EntityOutput, entity: Entity, project: Project): Promise<RenderedFile> {
  const path = output.at?.(entity, project) ?? output.path.replace('Name', entity.name)
  return finish(output, path, output.view(entity, project), entity.source)
}

async function finish(
  output: Output,
  path: string,
  view: object,
  source: string,
): Promise<RenderedFile> {
  const text = layOut(output.path, view)
  const content = output.isTidy === true && fits(text) ? text : await tidy(path, text)
  return { path, content, owner: output.owner, source }
}
