import type { Entity } from '../../blueprint/types.js'
import type { Project, Surroundings } from '../../plan/project.js'
import type { Feature } from '../../write/feature.js'
import { readsCheck, isReadOf } from './check.js'
import { readsReader } from './reader.js'
import type { ReadName } from './words.js'

/** The word in the manifest; what it names is in folders of its own. */
export const reads: Feature = {
  name: 'reads',
  check: readsCheck,
  reader: readsReader,
}

/** Returns true if a project has it anywhere. */
export const isReadIn = (
  project: Pick<Project, 'blueprint' | 'entities'>,
  name: ReadName,
): boolean => project.entities.some((entity) => hasRead(entity, project, name))

/** Returns true if a repository has it. */
export const hasRead = (
  entity: Pick<Entity, 'key'>,
  { blueprint }: Pick<Surroundings, 'blueprint'>,
  name: ReadName,
): boolean => isReadOf(blueprint, entity, name)
