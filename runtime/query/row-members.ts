import { sentence } from '../input/messages.js'
import type { Input } from '../input/validation.js'
import type { Access } from '../model/entity.js'

export interface Members {
  /** With what they say among its parameters. */
  readonly access: Access
  /** Without them. */
  readonly body: Input
  /** By the member that is wrong. */
  readonly problems: ReadonlyMap<string, string>
}

/** Takes the extensions' keys out of a record's body: its version, say. */
export function takeMembers(access: Access, given: Input): Members {
  const { entity, extensions } = access
  const members = extensions.flatMap(({ inRows }) => inRows?.(entity) ?? [])
  const said = members.filter(({ name }) => Object.hasOwn(given, name))
  if (said.length === 0) return { access, body: given, problems: new Map() }
  const body: Record<string, unknown> = Object.assign(Object.create(null), given)
  const parameters = new Map(access.parameters)
  const problems = new Map<string, string>()
  for (const { name, part, read } of said) {
    const found = read(body[name])
    if ('value' in found) parameters.set(part, found.value)
    else problems.set(name, sentence(name, found.problem))
    delete body[name]
  }
  return { access: Object.assign({}, access, { parameters }), body, problems }
}
