import type { ts as TypeScript } from 'ts-morph'
import type { Blueprint, Entity } from '../../blueprint/types.js'
import type { Advice } from './advice.js'

type Node = TypeScript.Node

/**
 * Gates that answer a condition, in the text of a policy:
 *
 *     a column that the condition reads, and that every body may write    who changes it sees or writes the value
 *     a foreign key behind such a gate                                    its relation is closed to everybody
 *
 * Conditions that other files make are not found.
 */
export async function gateAdvice(
  policies: readonly { readonly path: string; readonly content: string }[],
  { entities }: Blueprint,
): Promise<readonly Advice[]> {
  const found: Advice[] = []
  for (const { path, content } of policies) {
    const entity = entities.find(({ name }) => path === `app/Policies/${name}Policy.ts`)
    if (entity === undefined || !/\bcan(See|Update)\b/.test(content)) continue
    found.push(...(await inPolicy(path, content, entity)))
  }
  return found
}

async function inPolicy(path: string, text: string, entity: Entity): Promise<readonly Advice[]> {
  // Only a policy with such a gate needs the compiler, and it takes a while to load.
  const { ts } = await import('../../source/ts-morph.js')
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const constants = new Map<string, Node>()
  const gates = new Map<string, TypeScript.ObjectLiteralExpression>()
  const collect = (node: Node): void => {
    if (ts.isVariableDeclaration(node) && node.initializer !== undefined) {
      constants.set(node.name.getText(file), node.initializer)
    }
    if (ts.isPropertyAssignment(node) && ts.isObjectLiteralExpression(node.initializer)) {
      gates.set(node.name.getText(file), node.initializer)
    }
    ts.forEachChild(node, collect)
  }
  collect(file)

  const fieldsOf = (gate: 'canSee' | 'canUpdate') =>
    (gates.get(gate)?.properties ?? []).flatMap((property) =>
      property.name === undefined || ts.isComputedPropertyName(property.name)
        ? []
        : [{ property, name: property.name.text }],
    )

  // The foreign key says which record a relation leads to.
  const columnOf = new Map([
    ...entity.relations.map(({ key }) => [key, key] as const),
    ...pointersOf(entity).map(({ key, foreignKey }) => [key, foreignKey] as const),
    ...entity.columns.map(({ name }) => [name, name] as const),
  ])
  /** Columns and relations of the record that the objects in an expression ask about. */
  const namesIn = (node: Node, names: Set<string>): ReadonlySet<string> => {
    if (ts.isPropertyAssignment(node)) {
      const name = columnOf.get(node.name.getText(file))
      if (name !== undefined) return names.add(name)
    }
    ts.forEachChild(node, (child) => void namesIn(child, names))
    return names
  }

  const guarded = new Set(fieldsOf('canUpdate').map(({ name }) => name))
  const fields = (['canSee', 'canUpdate'] as const).flatMap((gate) =>
    fieldsOf(gate).map((field) => Object.assign(field, { gate })),
  )
  return fields.flatMap(({ gate, property, name }) => {
    const written = ts.isPropertyAssignment(property) ? property.initializer : property
    const rule = ts.isIdentifier(written) ? (constants.get(written.text) ?? written) : written
    const names = namesIn(rule, new Set())
    const { line } = file.getLineAndCharacterOfPosition(property.getStart(file))
    const at = `${path}:${line + 1}`
    if (names.size === 0) return []
    const opened = openedBy(entity, { gate, name }, names, guarded, at)
    return gate === 'canUpdate' ? opened : [...closedRelations(entity, name, at), ...opened]
  })
}

const pointersOf = ({ relations, morphs = [] }: Entity) => [
  ...relations.filter(({ kind }) => kind === 'belongsTo'),
  ...morphs,
]

function closedRelations(entity: Entity, field: string, at: string): readonly Advice[] {
  return pointersOf(entity)
    .filter(({ foreignKey }) => foreignKey === field)
    .map(({ key }) => ({
      rule: 'gate-closes-relation',
      at,
      message: `canSee.${field} answers a condition, so nobody can include, filter by or reach '${key}'`,
      fix: `gate the fields of '${key}' instead, or answer true or false`,
    }))
}

function openedBy(
  { columns }: Entity,
  field: { readonly gate: 'canSee' | 'canUpdate'; readonly name: string },
  names: ReadonlySet<string>,
  guarded: ReadonlySet<string>,
  at: string,
): readonly Advice[] {
  return columns
    .filter(({ name, role, readonly }) => {
      return names.has(name) && role !== 'id' && !readonly && !guarded.has(name)
    })
    .map(({ name }) => ({
      rule: 'gate-can-be-opened',
      at,
      message: `${field.gate}.${field.name} reads '${name}', and whoever may update a record may write '${name}' and then ${field.gate === 'canSee' ? 'see' : 'write'} the value`,
      fix: `canUpdate: { ${name}: … }, or make it .readonly() or filledBy in the manifest`,
    }))
}
