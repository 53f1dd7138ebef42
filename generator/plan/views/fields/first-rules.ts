import type { Entity } from '../../../blueprint/types.js'
import type { Surroundings } from '../../project.js'

interface FirstRules {
  readonly opening: string
  readonly remarks: readonly string[]
  readonly show: string
  readonly store: string
  readonly update: string
  readonly delete: string
}

export const nobody = '() => false'
const everyone = '() => true'
export const signedIn = '(user) => user !== null'

const denied: FirstRules = {
  opening: 'It denies everyone until you open its methods.',
  remarks: [],
  show: nobody,
  store: nobody,
  update: nobody,
  delete: nobody,
}

/**
 * The rules of a policy as svc writes it, by `newPolicies` of the manifest. Rows without an owner are changed by nobody,
 * unless everyone who is signed in changes everything; nobody adds users (they register) or changes others.
 */
export function firstRules(entity: Entity, project: Pick<Surroundings, 'auth'>): FirstRules {
  const { firstPolicy } = entity
  if (firstPolicy === undefined) return denied
  const { opens, owner } = firstPolicy
  const isUser = entity.key === project.auth?.key
  const ofOwner = owner === null ? nobody : `(user) => (${condition(owner)})`
  if (ofOwner === nobody && opens === 'owner') {
    return {
      ...denied,
      remarks: ["Its rows have no single owner, so `newPolicies: 'owner'` opens nothing."],
    }
  }
  const write = opens === 'signed-in' && !isUser ? signedIn : ofOwner
  return {
    opening: `It starts as \`newPolicies: '${opens}'\` in the manifest says.`,
    remarks: isUser ? userRemarks : publicRemarks(entity, project),
    show: shown(entity, isUser, ofOwner),
    store: isUser ? nobody : write,
    update: write,
    delete: write,
  }
}

/** E-mail addresses are among the fields of users: no guest sees them. */
function shown({ firstPolicy }: Entity, isUser: boolean, ofOwner: string): string {
  if (firstPolicy?.opens === 'signed-in') return signedIn
  return firstPolicy?.opens === 'public-read' && !isUser ? everyone : ofOwner
}

const userRemarks = [
  'Whoever may change a row may change each of its fields: keep what is a right (a role, a balance) from',
  'requests with `.readonly()` in the manifest, or with a gate in `canUpdate`.',
]

/** Without users, requests bring no token. */
function publicRemarks(
  { firstPolicy, isPublic, source }: Entity,
  { auth }: Pick<Surroundings, 'auth'>,
): readonly string[] {
  if (firstPolicy?.opens !== 'public-read' || isPublic || auth === null) return []
  return [`\`public: true\` in ${source} lets those read who are not signed in.`]
}

const condition = ([first = '', ...rest]: readonly string[]): string =>
  rest.length === 0 ? `{ ${first}: user?.id }` : `{ ${first}: { is: ${condition(rest)} } }`
