import { styleText } from 'node:util'
import type { Tree } from './tree.js'
import type { Step, Why } from './why-types.js'

type Colors = Readonly<Record<'bold' | 'added' | 'removed' | 'grey', (text: string) => string>>

const paint =
  (format: 'green' | 'red' | 'gray' | 'bold') =>
  (text: string): string =>
    styleText(format, text, { validateStream: false })

const plain = (text: string): string => text

/** For a terminal that shows colours, or plain text. */
export const colors = (isColored: boolean): Colors =>
  isColored
    ? { bold: paint('bold'), added: paint('green'), removed: paint('red'), grey: paint('gray') }
    : { bold: plain, added: plain, removed: plain, grey: plain }

/** An answer for people. */
export function whyLines(why: Why, isColored = false): readonly string[] {
  const paint = colors(isColored)
  return [
    headline(why, paint),
    ...why.steps.flatMap((step) => ['', ...stepLines(step, paint)]),
    ...notesOf(why),
  ]
}

/** Yes or no, and the whole of it. */
export const headline = ({ answer, sentence }: Pick<Why, 'answer' | 'sentence'>, paint: Colors) =>
  sentence.replace(/^(Yes|No)/, (word) => (answer === 'yes' ? paint.added : paint.removed)(word))

export const notesOf = ({ notes }: Pick<Why, 'notes'>): readonly string[] =>
  notes.length === 0 ? [] : ['', ...notes]

function stepLines(step: Step, paint: Colors) {
  const { rule, file, line, code, of, decidedBy, tree, answer } = step
  const place = file === null ? '' : paint.grey(`  ${file}${line === undefined ? '' : `:${line}`}`)
  const about = of === 'any record' ? '' : `, of ${of}`
  const because = decidedBy.length === 0 ? '' : `  (for what the user's ${decidedBy.join(', ')} is)`
  if (tree.kind === 'constant' && tree.decides) {
    const said = `${paint.bold(rule)}: ${verdictText(answer, tree.words, paint)}${because}${place}`
    return [said, ...(code === undefined ? [] : [paint.grey(`  ${code}`)])]
  }
  const title = `${paint.bold(rule)}${about}: ${painted(answer, paint)}${because}${place}`
  return [title, ...treeLines(tree, '  ', paint)]
}

const verdictText = (answer: string, words: string, paint: Colors): string =>
  words === answer || !words.startsWith(answer)
    ? painted(words, paint, answer)
    : painted(answer, paint) + words.slice(answer.length)

const painted = (word: string, paint: Colors, verdict = word): string =>
  verdict === 'yes' ? paint.added(word) : verdict === 'no' ? paint.removed(word) : word

/** Leaves in columns: the answer, what is asked, what the record has. */
function treeLines(tree: Tree, indent: string, paint: Colors): readonly string[] {
  const verdict = (tree.verdict ?? '?').padEnd(7)
  const shown = painted(verdict, paint, tree.verdict ?? '')
  const mark = tree.decides ? paint.bold('  ← decides') : ''
  const others = tree.with?.length ? `, with ${tree.with.join(' and ')}` : ''
  const { parts, column, related } = tree
  if (parts !== undefined) {
    const inner = parts.flatMap((part) => treeLines(part, `${indent}  `, paint))
    return [`${indent}${shown}  ${tree.words}`, ...inner]
  }
  const has = column === undefined ? '' : paint.grey(`  (the record has ${column.shown})`)
  const isOpened = related?.first?.tree != null
  const counted =
    related === undefined
      ? ''
      : paint.grey(`  (${related.total} of ${related.repository}, ${related.matching} like that)`)
  // The conditions follow below, one by one.
  const words = isOpened ? tree.words.replace(/ has \(.*$/s, '') : tree.words
  const line = `${indent}${shown}  ${words}${has}${counted}${mark}${tree.decides ? others : ''}`
  return [
    line,
    ...(related === undefined ? [] : relatedLines(related, `${indent}         `, paint)),
  ]
}

function relatedLines(
  { repository, first }: NonNullable<Tree['related']>,
  indent: string,
  paint: Colors,
): readonly string[] {
  if (first === null) return []
  const name = `${indent}${paint.grey(`${repository}/${first.id}`)}`
  return first.tree === null ? [name] : [name, ...treeLines(first.tree, `${indent}  `, paint)]
}
