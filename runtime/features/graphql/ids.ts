import { getNamedType, type GraphQLResolveInfo, isInputObjectType } from 'graphql'
import type { Input } from '../../operations/repository.js'
import type { ChildList } from '../child-lists/child-lists.js'
import { idsOf } from './directives.js'

/** An input, and the children that its lists of ids (`@ids`) give to the record. */
export interface Written {
  readonly values: Input
  readonly children: readonly ChildList[]
}

/** Takes the lists of ids out of an input. */
export function splitIds(input: Input, info: GraphQLResolveInfo): Written {
  const field = info.parentType.getFields()[info.fieldName]
  const argument = field?.args.find(({ name }) => name === 'input')
  const type = argument === undefined ? undefined : getNamedType(argument.type)
  if (!isInputObjectType(type)) return { values: input, children: [] }
  const values: Record<string, unknown> = { ...input }
  const children = Object.values(type.getFields()).flatMap(({ name, astNode }): ChildList[] => {
    const relation = idsOf(astNode)
    const ids = input[name]
    if (relation === null) return []
    delete values[name]
    return Array.isArray(ids) ? [{ name, relation, ids }] : []
  })
  return { values, children }
}
