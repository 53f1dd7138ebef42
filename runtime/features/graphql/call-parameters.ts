import type { Access } from '../../model/entity.js'
import { badParameter } from '../../query/query.js'
import { membersOf } from '../../query/row-members.js'

/** Reads what arguments of a mutation say to extensions; 400 where one cannot be read. */
export function parametersInCall(
  { extensions }: Pick<Access, 'extensions'>,
  args: Readonly<Record<string, unknown>>,
): Access['parameters'] {
  const parameters = new Map<string, unknown>()
  for (const { part, member } of membersOf(extensions)) {
    const value = args[member.name] ?? null
    if (value === null) continue
    const found = member.read(value)
    if ('problem' in found) throw badParameter(member.name, found.problem)
    parameters.set(part, found.value)
  }
  return parameters
}
