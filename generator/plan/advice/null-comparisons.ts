import type { ts as TypeScript } from 'ts-morph'
import type { Blueprint } from '../../blueprint/types.js'
import type { Advice } from './advice.js'

type Node = TypeScript.Node
type SourceFile = TypeScript.SourceFile

/** Files that hold policies, and helpers of theirs. */
const folder = /^app\/Policies\/.*\.ts$/

/** Matches places where a null may be compared with; `user !== null` is no such place. */
const suspicious = /(?:[:?[,(]|\?\?|&&|\|\|)\s*null\b|\$\{\s*null\b/

/**
 * Conditions of policies that compare with a null which is written out: such a comparison admits no
 * row. The compiler says so too; this says what to write instead, also before there is a compiler.
 */
export async function nullComparisons(
  code: ReadonlyMap<string, string>,
  blueprint: Blueprint,
): Promise<readonly Advice[]> {
  const names = namesOf(blueprint)
  const found: Advice[] = []
  for (const [path, text] of code) {
    if (folder.test(path) && suspicious.test(text)) found.push(...(await inFile(path, text, names)))
  }
  return found
}

/** Columns and relations of every repository: a key of another name is no part of a condition. */
function namesOf({ entities, pivots }: Blueprint): ReadonlySet<string> {
  const columns = entities.flatMap((entity) => entity.columns)
  const fields = pivots.flatMap((pivot) => pivot.fields)
  const relations = entities.flatMap((entity) => entity.relations.map(({ key }) => key))
  return new Set([...[...columns, ...fields].map(({ name }) => name), ...relations])
}

const toOneWords = new Set(['is', 'isNot'])
const listWords = new Set(['in', 'notIn'])

/** Words that stand between a name and what it is compared with. */
const testWords = new Set([
  ...['equals', 'not', 'lt', 'lte', 'gt', 'gte', 'contains', 'startsWith', 'endsWith', 'isNull'],
  ...['some', 'none', 'every'],
  ...[...toOneWords, ...listWords],
])

async function inFile(
  path: string,
  text: string,
  names: ReadonlySet<string>,
): Promise<readonly Advice[]> {
  // Only a policy that may compare with null needs the compiler, and it takes a while to load.
  const { ts } = await import('../../source/ts-morph.js')
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const found: Advice[] = []

  /** Finds the largest expression that may have this value: `user?.id ?? null`, `a ? b : null`. */
  const outermost = (node: Node): Node => {
    const { parent } = node
    const isSame =
      ts.isParenthesizedExpression(parent) ||
      ts.isAsExpression(parent) ||
      ts.isSatisfiesExpression(parent) ||
      ts.isNonNullExpression(parent) ||
      (ts.isConditionalExpression(parent) && parent.condition !== node) ||
      (ts.isBinaryExpression(parent) && joins.has(parent.operatorToken.kind))
    return isSame ? outermost(parent) : node
  }
  const joins = new Set([
    ts.SyntaxKind.QuestionQuestionToken,
    ts.SyntaxKind.BarBarToken,
    ts.SyntaxKind.AmpersandAmpersandToken,
  ])

  /** The key that a value stands under, and the object. */
  const keyOf = (node: Node) => {
    const { parent } = outermost(node)
    if (!ts.isPropertyAssignment(parent) || ts.isComputedPropertyName(parent.name)) return null
    return { key: parent.name.text, object: parent.parent as Node }
  }

  /**
   * Returns true if an object is what a function answers, what a name stands for, or handed to
   * `any` and the like.
   */
  const isCondition = (object: Node): boolean => {
    const whole = outermost(object)
    const { parent } = whole
    if (ts.isPropertyAssignment(parent)) return isCondition(parent.parent)
    if (ts.isArrayLiteralExpression(parent)) return isCondition(parent)
    if (ts.isCallExpression(parent)) return /^(?:any|all|not)$/.test(parent.expression.getText())
    if (ts.isArrowFunction(parent)) return parent.body === whole
    return ts.isReturnStatement(parent) || ts.isVariableDeclaration(parent)
  }

  const visit = (node: Node): void => {
    if (node.kind === ts.SyntaxKind.NullKeyword) look(node)
    ts.forEachChild(node, visit)
  }
  const look = (node: Node): void => {
    const { parent } = outermost(node)
    const isInSql =
      ts.isTemplateSpan(parent) &&
      ts.isTaggedTemplateExpression(parent.parent.parent) &&
      parent.parent.parent.tag.getText() === 'sql'
    if (isInSql) found.push(advice(file, node, null, null))
    const list = ts.isArrayLiteralExpression(parent) ? keyOf(parent) : null
    const place = list !== null && listWords.has(list.key) ? list : keyOf(node)
    if (place === null) return
    const above = testWords.has(place.key) ? keyOf(place.object) : place
    if (above === null || !names.has(above.key) || !isCondition(place.object)) return
    found.push(advice(file, node, above.key, place.key))
  }
  visit(file)
  return found
}

function advice(file: SourceFile, node: Node, name: string | null, word: string | null): Advice {
  const { line, character } = file.getLineAndCharacterOfPosition(node.getStart(file))
  const what = name === null ? 'sql' : `'${name}'`
  return {
    rule: 'null-comparison',
    at: `${file.fileName}:${line + 1}:${character + 1}`,
    message: `${what} is compared with null, which admits no row`,
    fix: fixOf(name, word),
  }
}

function fixOf(name: string | null, word: string | null): string {
  if (name === null) return "'is null' in the text of the sql"
  const isToOne = word !== null && toOneWords.has(word)
  return isToOne
    ? `{ ${name}: { isNot: true } } for no record, { is: true } for any`
    : `{ ${name}: { isNull: true } } for NULL, { isNull: false } for any value`
}
