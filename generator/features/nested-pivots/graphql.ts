import { studly } from '../../blueprint/names/names.js'
import type { Entity, Relation } from '../../blueprint/types.js'
import type { Project } from '../../plan/project.js'
import { noNames } from '../../source/code-names.js'
import type { FreeName } from '../graphql/names.js'
import { columnMembers } from '../graphql/schema-inputs.js'
import {
  type GraphqlFeature,
  input,
  isClosed,
  type MemberView,
  type Scope,
  typeOf,
  type TypeView,
} from '../graphql/schema-scope.js'
import { writtenFields } from '../pivots/graphql-names.js'
import { namedIn, newColumns } from './written.js'

/** `createPost(input: { title, tags: [{ id: "3" }, { name: "red" }] })`, and `updatePost`. */
export const namedInGraphql: GraphqlFeature = {
  part: (project, free) => {
    const names = namesOf(project, free)
    const inputs = (entity: Entity, scope: Scope) =>
      namedIn(entity, project).flatMap((relation) => {
        const own = names.get(relation)
        const isOpen = own !== undefined && !isClosed(entity, relation.key, 'shown', scope)
        return isOpen ? [{ ...own, relation }] : []
      })
    return {
      written: (entity, scope) =>
        inputs(entity, scope).map(({ item, relation }) => ({
          text: `${relation.key}: [${item}!]`,
          description: null,
        })),
      types: (scope) =>
        project.entities.flatMap((entity) =>
          inputs(entity, scope).flatMap(({ relation, ...own }) => typesOf(relation, own, scope)),
        ),
    }
  },
}

interface Names {
  /** The input of a record that is named. */
  readonly item: string
  /** The input of its pivot fields. */
  readonly pivots: string
}

function namesOf(project: Project, free: FreeName): ReadonlyMap<Relation, Names> {
  const { types } = project.derived.graphql
  return new Map(
    project.entities.flatMap((entity) => {
      const type = types.get(entity.key)
      if (type === undefined) return []
      return namedIn(entity, project)
        .filter(({ target }) => types.has(target))
        .map((relation) => {
          const stem = `${type}${studly(relation.key)}`
          const names = { item: free(`${stem}Input`), pivots: free(`${stem}PivotsInput`) }
          return [relation, names] as const
        })
    }),
  )
}

function typesOf(relation: Relation, names: Names, scope: Scope): readonly TypeView[] {
  const { project } = scope
  const target = project.entity(relation.target)
  const table = relation.pivot?.table ?? ''
  const fields = writtenFields(project.pivot(table))
  const { code } = project.derived.graphql
  const codeOf = ({ key }: Entity) => code?.get(key) ?? noNames
  const made = newColumns({ project, codeOf }, target)
  const columns = made === null ? [] : made.columns.filter(({ name }) => name !== 'id')
  const members: MemberView[] = [
    { text: 'id: ID', description: null },
    ...columnMembers(target, { columns, required: new Set() }, scope),
  ]
  if (fields.length === 0) return [input(names.item, members)]
  members.push({ text: `pivots: ${names.pivots}`, description: null })
  const ofPivots = fields.map((column) => ({
    text: `${column.name}: ${typeOf(table, column, 'ID', scope)}`,
    description: null,
  }))
  return [input(names.item, members), input(names.pivots, ofPivots)]
}
