import { ts } from '../../source/ts-morph.js'

interface Excess {
  readonly start: number
  readonly message: string
}

/**
 * Keys of objects that nothing asked for. TypeScript refuses `const a: A = { gone: 1 }`, and accepts the same object as the
 * answer of `() => ({ gone: 1 })` as soon as another of its keys fits: a policy that names a removed column.
 */
export function excessKeys(program: ts.Program, file: ts.Node): readonly Excess[] {
  const checker = program.getTypeChecker()
  const found: Excess[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isObjectLiteralExpression(node)) {
      const type = checker.getContextualType(node)
      for (const property of node.properties) {
        const name = property.name
        if (type === undefined || name === undefined || !ts.isIdentifier(name)) continue
        if (takes(checker, type, name.text)) continue
        const message = `An object literal may only have known keys, and '${name.text}' is none here.`
        found.push({ start: name.getStart(), message })
      }
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

/** True when some object of the type may have the key, or that is unknown. */
function takes(checker: ts.TypeChecker, type: ts.Type, key: string): boolean {
  const isObject = ({ flags }: ts.Type) =>
    (flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0
  if (type.isUnion()) {
    const objects = type.types.filter(isObject)
    return objects.length === 0 || objects.some((each) => takes(checker, each, key))
  }
  if (!isObject(type)) return true
  const isOpen = checker.getIndexInfosOfType(type).length > 0
  return isOpen || checker.getPropertyOfType(type, key) !== undefined
}
