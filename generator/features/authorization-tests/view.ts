import type { Entity } from '../../blueprint/types.js'
import { kindOf } from '../../kinds/kinds.js'
import type { Project } from '../../plan/project.js'
import { importLine, type Import } from '../../plan/render/imports.js'
import { literal, property } from '../../source/literal.js'

export interface MatrixView {
  /** Row type of the signed-in user, or null. */
  readonly user: string | null
  /** Roles of a new project, each with the expression that makes its user. */
  readonly roles: readonly { readonly name: string; readonly make: string }[]
  /** A repository whose rows belong to users, to show how rows are named. */
  readonly example: { readonly key: string; readonly make: string; readonly owner: string } | null
  readonly hasGraphql: boolean
  /** Imports of features, and further options of the test. */
  readonly imports: readonly string[]
  readonly options: readonly string[]
}

declare module '../../plan/project.js' {
  interface Contribution {
    /** In the test: its import, and an object of options. */
    readonly matrix?: { readonly import: Import; readonly options: string }
  }
}

export function matrixView(project: Project): MatrixView {
  const { auth, derived } = project
  return {
    user: auth?.name ?? null,
    roles: rolesOf(auth),
    example: exampleOf(project),
    hasGraphql: derived.graphql.settings.enabled,
    imports: project.features.flatMap(({ matrix }) =>
      matrix === undefined ? [] : importLine(matrix.import),
    ),
    options: project.features.flatMap(({ matrix }) => matrix?.options ?? []),
  }
}

/** A guest, a user, and one for each boolean such as `is_admin` and each option of a select `role`. */
function rolesOf(auth: Entity | null): MatrixView['roles'] {
  const guest = { name: 'guest', make: 'null' }
  if (auth === null) return [guest]
  const make = (values: string) => `make${auth.name}(${values})`
  const marked = auth.columns.flatMap(({ name, kind, role, options = [] }) => {
    const as = /^is_([a-z]\w*)$/.exec(name)?.[1]
    const isField = role === 'field'
    if (isField && as !== undefined && kindOf(kind).isSwitch) {
      return [{ name: property(as), make: make(`{ ${name}: true }`) }]
    }
    if (!isField || name !== 'role' || kindOf(kind).isList) return []
    return options.map((option) => ({
      name: property(option),
      make: make(`{ role: ${literal(option)} }`),
    }))
  })
  const taken = new Set(['guest', 'user'])
  const others = marked.filter(({ name }) => !taken.has(name) && taken.add(name))
  return [guest, { name: 'user', make: make('') }, ...others]
}

function exampleOf({ auth, entities }: Project): MatrixView['example'] {
  if (auth === null) return null
  for (const { key, name, columns } of entities) {
    const owner = columns.find(({ references }) => references?.entity === auth.key)
    if (key === auth.key || owner === undefined) continue
    return { key: property(key), make: `make${name}`, owner: property(owner.name) }
  }
  return null
}
