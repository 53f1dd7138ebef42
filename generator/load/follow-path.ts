import type { ts as TypeScript } from 'ts-morph'
import type { Path } from './position.js'

type Ts = typeof TypeScript
type Node = TypeScript.Node

/** A step found: where to point at, and where to go on from. */
interface Step {
  readonly name: Node
  readonly value: Node | undefined
}

/**
 * The node that the last visible step points at; undefined when not even the first can be seen.
 *
 *     'fields'      a property of an object, or of an object among a call's arguments
 *     'default'     a modifier in a chain: `text().default('x')`
 *     1             an element of a list
 */
export function followPath(
  ts: Ts,
  file: TypeScript.SourceFile,
  start: Node,
  path: Path,
): Node | undefined {
  let from: Node | undefined = start
  let found: Node | undefined
  for (const step of path) {
    if (from === undefined) return found
    const next = takeStep(ts, file, plain(ts, file, from), step)
    if (next === undefined) return found
    found = next.name
    from = next.value
  }
  return found
}

function takeStep(
  ts: Ts,
  file: TypeScript.SourceFile,
  node: Node,
  step: string | number,
): Step | undefined {
  if (typeof step === 'number') {
    const element = ts.isArrayLiteralExpression(node) ? node.elements[step] : undefined
    return element === undefined ? undefined : { name: element, value: element }
  }
  if (ts.isObjectLiteralExpression(node)) return inObject(ts, file, node, step)
  return ts.isCallExpression(node) ? inCall(ts, file, node, step) : undefined
}

function inObject(
  ts: Ts,
  file: TypeScript.SourceFile,
  node: TypeScript.ObjectLiteralExpression,
  step: string,
): Step | undefined {
  for (const property of node.properties.toReversed()) {
    if (ts.isSpreadAssignment(property)) {
      const found = takeStep(ts, file, plain(ts, file, property.expression), step)
      if (found !== undefined) return found
      continue
    }
    if (nameOf(ts, property) !== step) continue
    const value = ts.isPropertyAssignment(property) ? property.initializer : property.name
    return { name: property.name ?? property, value }
  }
  return undefined
}

function nameOf(ts: Ts, { name }: TypeScript.ObjectLiteralElementLike): string | undefined {
  if (name === undefined) return undefined
  return ts.isIdentifier(name) || ts.isStringLiteralLike(name) ? name.text : undefined
}

/** `text().max(5).default('x')`: the modifier of that name, else an option among the arguments, innermost last. */
function inCall(
  ts: Ts,
  file: TypeScript.SourceFile,
  node: TypeScript.CallExpression,
  step: string,
): Step | undefined {
  const { expression } = node
  const isChained = ts.isPropertyAccessExpression(expression)
  if (isChained && expression.name.text === step) {
    return { name: expression.name, value: node.arguments[0] }
  }
  for (const argument of node.arguments) {
    const found = takeStep(ts, file, plain(ts, file, argument), step)
    if (found !== undefined) return found
  }
  return isChained ? takeStep(ts, file, plain(ts, file, expression.expression), step) : undefined
}

/** Through parentheses, `as`, `satisfies`, and constants of the same file. */
function plain(ts: Ts, file: TypeScript.SourceFile, node: Node): Node {
  if (
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node)
  ) {
    return plain(ts, file, node.expression)
  }
  if (!ts.isIdentifier(node)) return node
  const declared = file.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => [...declarationList.declarations])
    .find(({ name }) => ts.isIdentifier(name) && name.text === node.text)
  return declared?.initializer === undefined ? node : plain(ts, file, declared.initializer)
}
