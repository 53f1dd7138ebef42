import type { ts as TypeScript } from 'ts-morph'
import type { MutantKind } from './mutant.js'
import type { Node, Ts } from './policy-sources.js'

export interface Change {
  readonly kind: MutantKind
  /** The replacement, as code; null: a function that answers true. */
  readonly text: string | null
  /** The replacement for people, and its subject. */
  readonly became: string
  readonly at?: Node
  readonly was?: string
}

/** An expression, and what can stand instead of it. */
export interface Place {
  readonly node: Node
  readonly changes: readonly Change[]
}

export const relationWords: ReadonlySet<string> = new Set(['some', 'none', 'every', 'is', 'isNot'])

/**
 * Lists the places of a function that answers a condition, or true and false, where a mutant can
 * be.
 */
export function conditionPlaces(ts: Ts, root: Node): readonly Place[] {
  const inside = answersOf(ts, root).flatMap((answer) => placesIn(ts, answer, true))
  return [...inside, ...undefinedPlaces(ts, root)]
}

/** A part of a condition; `isWhole`: nothing is beside it, and dropping it is what `true` does. */
type Part = readonly [node: Node, isWhole: boolean]

interface Found {
  readonly changes: readonly Change[]
  readonly inside: readonly Part[]
}

function placesIn(ts: Ts, given: Node, isWhole: boolean): readonly Place[] {
  const node = bare(ts, given)
  const { changes, inside } = foundIn(ts, node, isWhole)
  const own = changes.length === 0 ? [] : [{ node, changes }]
  return [...own, ...inside.flatMap((part) => placesIn(ts, ...part))]
}

function foundIn(ts: Ts, node: Node, isWhole: boolean): Found {
  if (ts.isObjectLiteralExpression(node)) return inObject(ts, node, isWhole)
  if (ts.isConditionalExpression(node)) {
    const parts = [node.condition, node.whenTrue, node.whenFalse]
    return { changes: [], inside: parts.map((part) => [part, true]) }
  }
  if (ts.isCallExpression(node) && combines(node) !== null) return inCombined(node)
  if (isLogical(ts, node)) return inLogical(ts, node, isWhole)
  if (isConstant(ts, node)) return { changes: [], inside: [] }
  if (ts.isPrefixUnaryExpression(node)) {
    const text = node.operand.getText()
    return { changes: [{ kind: 'negated', text: `(${text})`, became: text }], inside: [] }
  }
  const text = node.getText()
  const negated = { kind: 'negated', text: `svcNegated(${text})`, became: `not ${text}` } as const
  return { changes: [negated], inside: [] }
}

function inObject(ts: Ts, node: TypeScript.ObjectLiteralExpression, isWhole: boolean): Found {
  const members = [...node.properties]
  const changes = members.flatMap((member): readonly Change[] => {
    const others = textsBeside(members, member).join(', ')
    const text = member.getText()
    const not = `svcNot({ ${text} })`
    const both = others === '' ? not : `svcAll({ ${others} }, ${not})`
    const negated: Change = { kind: 'negated', text: both, became: `not ${text}`, at: member }
    if (others === '' && isWhole) return [negated]
    const rest = others === '' ? 'true' : `({ ${others} })`
    return [{ kind: 'dropped', text: rest, became: '', at: member }, negated]
  })
  const parts = members.map((each) => `{ ${each.getText()} }`).join(', ')
  const one: Change = { kind: 'any', text: `svcAny(${parts})`, became: `any(${parts})` }
  return {
    changes: members.length > 1 ? [...changes, one] : changes,
    inside: members.flatMap((member) => relatedIn(ts, member)),
  }
}

/** A relation has conditions of its own. */
function relatedIn(ts: Ts, member: TypeScript.ObjectLiteralElementLike): readonly Part[] {
  if (!ts.isPropertyAssignment(member)) return []
  const value = bare(ts, member.initializer)
  if (!ts.isObjectLiteralExpression(value)) return []
  return value.properties.flatMap((each): readonly Part[] => {
    const isRelated = ts.isPropertyAssignment(each) && relationWords.has(each.name.getText())
    return isRelated ? [[each.initializer, false]] : []
  })
}

function inCombined(node: TypeScript.CallExpression): Found {
  const word = combines(node)
  const parts = [...node.arguments]
  const whole = parts.map((each) => each.getText()).join(', ')
  const changes: Change[] = []
  for (const part of parts.length > 1 ? parts : []) {
    const text = `${node.expression.getText()}(${textsBeside(parts, part).join(', ')})`
    changes.push({ kind: 'dropped', text, became: '', at: part })
  }
  if (word === 'all' && parts.length > 1) {
    changes.push({ kind: 'any', text: `svcAny(${whole})`, became: `any(${whole})` })
  }
  if (word === 'not') changes.push({ kind: 'negated', text: `(${whole})`, became: whole })
  return { changes, inside: parts.map((part) => [part, true]) }
}

function inLogical(ts: Ts, node: TypeScript.BinaryExpression, isWhole: boolean): Found {
  const word = node.operatorToken.getText()
  const parts = operandsOf(ts, node, word)
  const changes = droppedOf(parts, word)
  const text = parts.map((each) => each.getText()).join(' || ')
  const one: Change = { kind: 'any', text: `(${text})`, became: text }
  const open: Change = { kind: 'true', text: 'true', became: 'true' }
  const more = word === '&&' ? [one] : isWhole ? [] : [open]
  return { changes: [...changes, ...more], inside: parts.map((part) => [part, true]) }
}

const droppedOf = (parts: readonly Node[], word: string): readonly Change[] =>
  parts.map((part) => {
    const text = `(${textsBeside(parts, part).join(` ${word} `)})`
    return { kind: 'dropped', text, became: '', at: part }
  })

const textsBeside = (parts: readonly Node[], part: Node): readonly string[] =>
  parts.filter((each) => each !== part).map((each) => each.getText())

/**
 * Lists the mutants of a function that answers the value of a column: its conditions on the user.
 */
export function valuePlaces(ts: Ts, root: Node): readonly Place[] {
  const tests: Node[] = []
  const visit = (node: Node): void => {
    if (ts.isConditionalExpression(node)) tests.push(node.condition)
    if (ts.isIfStatement(node)) tests.push(node.expression)
    ts.forEachChild(node, visit)
  }
  visit(root)
  return [...tests.flatMap((each) => testPlaces(ts, each)), ...undefinedPlaces(ts, root)]
}

/** Parts of what is true or false, each dropped and negated. */
function testPlaces(ts: Ts, given: Node): readonly Place[] {
  const node = bare(ts, given)
  const text = node.getText()
  if (!isLogical(ts, node)) {
    return [{ node, changes: [{ kind: 'negated', text: `!(${text})`, became: `not ${text}` }] }]
  }
  const word = node.operatorToken.getText()
  const parts = operandsOf(ts, node, word)
  const changes = droppedOf(parts, word)
  return [{ node, changes }, ...parts.flatMap((part) => testPlaces(ts, part))]
}

/** `?? undefined` keeps NULL out of a comparison. */
function undefinedPlaces(ts: Ts, root: Node): readonly Place[] {
  const found: Place[] = []
  const visit = (node: Node): void => {
    if (ts.isBinaryExpression(node) && node.operatorToken.getText() === '??') {
      if (node.right.getText() === 'undefined') {
        const left = node.left.getText()
        found.push({
          node,
          changes: [{ kind: 'undefined', text: `(${left})`, became: left }],
        })
      }
    }
    ts.forEachChild(node, visit)
  }
  visit(root)
  return found
}

/** Returns the answers of a function: its expression, or those of its returns. */
export function answersOf(ts: Ts, root: Node): readonly Node[] {
  if (ts.isArrowFunction(root) && !ts.isBlock(root.body)) return [root.body]
  const found: Node[] = []
  const visit = (node: Node): void => {
    if (ts.isReturnStatement(node) && node.expression !== undefined) found.push(node.expression)
    if (node !== root && ts.isFunctionLike(node)) return
    ts.forEachChild(node, visit)
  }
  visit(root)
  return found
}

/** `as`, `satisfies` and brackets say nothing at run time. */
export function bare(ts: Ts, node: Node): Node {
  const isTransparent =
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isNonNullExpression(node)
  return isTransparent ? bare(ts, node.expression) : node
}

const isLogical = (ts: Ts, node: Node): node is TypeScript.BinaryExpression =>
  ts.isBinaryExpression(node) && ['&&', '||'].includes(node.operatorToken.getText())

const isConstant = (ts: Ts, node: Node): boolean =>
  node.kind === ts.SyntaxKind.TrueKeyword ||
  node.kind === ts.SyntaxKind.FalseKeyword ||
  node.kind === ts.SyntaxKind.NullKeyword ||
  node.getText() === 'undefined'

function combines(node: TypeScript.CallExpression): string | null {
  const name = node.expression.getText()
  return ['any', 'all', 'not'].includes(name) ? name : null
}

function operandsOf(ts: Ts, node: Node, word: string): readonly Node[] {
  const found = bare(ts, node)
  if (!ts.isBinaryExpression(found) || found.operatorToken.getText() !== word) return [node]
  return [...operandsOf(ts, found.left, word), ...operandsOf(ts, found.right, word)]
}
