import { getNamedType, type GraphQLResolveInfo, isInputObjectType } from 'graphql'
import { forbidden, HttpError, invalid } from '../errors.js'
import { sentence } from '../kernel/messages.js'
import type { HasRelated } from '../kernel/relations.js'
import type { AnyRepository, Input, Resource } from '../kernel/repository.js'
import { idsOf } from './directives.js'

interface Writing {
  readonly repository: AnyRepository
  readonly user: unknown
  readonly input: Input
  readonly info: GraphQLResolveInfo
  /** The record that is written; none: it is a new one. */
  readonly id?: string
}

/**
 * Writes a record and gives it the children that lists of ids in the input name. Each child is
 * changed by the update policy and the rules of its own repository; all are asked for before
 * anything is written.
 */
export async function writeWithIds(
  writing: Writing,
  write: (values: Input) => Promise<Resource>,
): Promise<Resource> {
  const lists = listsOf(writing)
  if (lists.length === 0) return write(writing.input)
  for (const list of lists) await checkChildren(writing, list)
  const values = Object.entries(writing.input).filter(
    ([name]) => !lists.some((list) => list.name === name),
  )
  const written = await write(Object.fromEntries(values))
  for (const { name, relation, ids } of lists) {
    const children = relation.target()
    for (const id of ids) {
      await children
        .patch(writing.user, id, { [relation.foreignKey]: written.id })
        .catch((error: unknown) => refuse(name, error))
    }
  }
  return written
}

interface IdList {
  readonly name: string
  readonly relation: HasRelated
  readonly ids: readonly string[]
}

function listsOf({ repository, input, info }: Writing): readonly IdList[] {
  const argument = info.parentType
    .getFields()
    [info.fieldName]?.args.find(({ name }) => name === 'input')
  const type = argument === undefined ? undefined : getNamedType(argument.type)
  if (!isInputObjectType(type)) return []
  return Object.values(type.getFields()).flatMap(({ name, astNode }) => {
    const key = idsOf(astNode)
    const ids = input[name]
    const relation = key === null ? undefined : repository.definition.relations[key]
    if (relation?.kind !== 'hasMany' || !Array.isArray(ids)) return []
    return [{ name, relation, ids: [...new Set(ids.map(String))] }]
  })
}

/** Each must be a record the user may see and change. */
async function checkChildren({ repository, user }: Writing, list: IdList): Promise<void> {
  const { maxPerPage } = repository.definition.settings
  if (list.ids.length > maxPerPage) {
    throw fieldError(list.name, `must not name more than ${maxPerPage} records`)
  }
  const children = list.relation.target()
  for (const id of list.ids) {
    const child = await children
      .show(user, id, { columns: [] })
      .catch((error: unknown) => refuse(list.name, error))
    if (child.meta?.authorizedToUpdate !== true) throw forbidden()
  }
}

function refuse(name: string, error: unknown): never {
  if (error instanceof HttpError && error.status === 404) {
    throw fieldError(name, 'must be ids of records that exist')
  }
  throw error
}

const fieldError = (name: string, text: string) => invalid({ [name]: [sentence(name, text)] })
