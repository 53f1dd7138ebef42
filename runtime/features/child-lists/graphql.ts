import { getNamedType, type GraphQLResolveInfo, isInputObjectType } from 'graphql'
import type { Input } from '../../operations/repository.js'
import { idsOf } from '../graphql/directives.js'
import type { InputValues } from '../graphql/resolver.js'
import { type ChildList, withChildren } from './child-lists.js'

/** Takes the lists of ids (`@ids`) out of an input: the children that they give to the record. */
export function readIdLists(input: Input, info: GraphQLResolveInfo): InputValues {
  const field = info.parentType.getFields()[info.fieldName]
  const argument = field?.args.find(({ name }) => name === 'input')
  const type = argument === undefined ? undefined : getNamedType(argument.type)
  if (!isInputObjectType(type)) return { values: input }
  const values: Record<string, unknown> = { ...input }
  const lists = Object.values(type.getFields()).flatMap(({ name, astNode }): ChildList[] => {
    const relation = idsOf(astNode)
    const ids = input[name]
    if (relation === null) return []
    delete values[name]
    return Array.isArray(ids) ? [{ name, relation, ids }] : []
  })
  return { values, extensions: withChildren(lists) }
}
