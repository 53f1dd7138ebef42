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
  const members = membersOf(extensions).flatMap(({ part, member }) => {
    const name = member.keyIn(entity.columns)
    return Object.hasOwn(given, name) ? [{ part, name, member }] : []
  })
  if (members.length === 0) return { access, body: given, problems: new Map() }
  const body: Record<string, unknown> = Object.assign(Object.create(null), given)
  const parameters = new Map(access.parameters)
  const problems = new Map<string, string>()
  for (const { name, part, member } of members) {
    const found = member.read(body[name])
    if ('value' in found) parameters.set(part, found.value)
    else problems.set(name, sentence(name, found.problem))
    delete body[name]
  }
  return { access: Object.assign({}, access, { parameters }), body, problems }
}

/** Parts of requests that extensions read as values, too. */
export const membersOf = (extensions: Access['extensions']) =>
  extensions.flatMap(({ says }) =>
    (says?.parts ?? []).flatMap(({ name, member }) =>
      member === undefined ? [] : [{ part: name, member }],
    ),
  )
