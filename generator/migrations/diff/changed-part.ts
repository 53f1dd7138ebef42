import type { SchemaFile } from '../schema/schema-file.js'

/** A change as two smaller schemas. */
export interface ChangedPart {
  readonly from: SchemaFile
  readonly to: SchemaFile
}

/**
 * Two schemas without the models that a change has nothing to do with: the SQL between them is the same, and of 1,000 models
 * Prisma's engine would read each five times, for a second and a half.
 *
 *     whole       models whose text is not the same on both sides; those with a foreign key to one of them, or with a comment
 *                 that names one: their tables may have to be made anew
 *     beside      models that a whole one names, and morphs that may belong to a whole one; the same on both sides, so nothing
 *                 is written of them, and fields that lead to models which are not here are left out
 *     the rest    the datasource, the generator, enums
 *
 * Null: the text is not as svc and Prisma's formatter write it, or something else than models differs, or each model has to
 * do with it. Then all of it is compared.
 */
export function changedPart(from: SchemaFile, to: readonly SchemaFile[]): ChangedPart | null {
  const [before, after] = [blocksIn([from]), blocksIn(to)]
  if (before === null || after === null || before.others !== after.others) return null
  const all = [...before.models.values(), ...after.models.values()]
  const whole = wholeModels(before.models, after.models)
  const here = modelsAround(whole, all)
  if (whole.size === 0 || all.every(({ name }) => here.has(name))) return null
  const away = new Set(all.flatMap(({ name }) => (here.has(name) ? [] : [name])))
  const textOf = ({ models, others }: Blocks) =>
    [
      others,
      ...[...models.values()]
        .filter(({ name }) => here.has(name))
        .map(({ name, text }) => (whole.has(name) ? text : withoutRelations(text, away))),
    ].join('\n')
  const path = to[0]?.path ?? ''
  return {
    from: { path: from.path, content: textOf(before) },
    to: { path, content: textOf(after) },
  }
}

interface Blocks {
  readonly models: ReadonlyMap<string, Model>
  /** Everything else that says something. */
  readonly others: string
}

interface Model {
  readonly name: string
  readonly table: string
  readonly text: string
}

const opening = /^(model|enum|datasource|generator)\s+(\w+)\s*\{$/

/** The end of a block further in, the start of another one, or an attribute that goes on in the next line. */
function isOdd(line: string): boolean {
  if (/^\s*(?:\}|\w+\s+\w+\s*\{)/.test(line)) return true
  const code = line.replaceAll(/"(?:[^"\\]|\\.)*"|\/\/.*/g, '')
  return code.split(/[([]/).length !== code.split(/[)\]]/).length
}

/** Null: a line that is not known here, or a name that stands there twice. */
function blocksIn(files: readonly SchemaFile[]): Blocks | null {
  const models = new Map<string, Model>()
  const others: string[] = []
  const lines = files.flatMap(({ content }) => content.split('\n'))
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    if (/^\s*(\/\/.*)?$/.test(line)) continue
    const [, kind, name = ''] = opening.exec(line) ?? []
    const end = lines.indexOf('}', at)
    const body = lines.slice(at + 1, end)
    if (kind === undefined || end === -1 || models.has(name)) return null
    if (body.some(isOdd)) return null
    at = end
    const text = [line, ...body, '}', ''].join('\n')
    const table = /^\s*@@map\("([^"]+)"\)/m.exec(text)?.[1] ?? name
    if (kind === 'model') models.set(name, { name, table, text })
    else others.push(text)
  }
  return { models, others: others.join('\n') }
}

type Models = Blocks['models']

function wholeModels(before: Models, after: Models): ReadonlySet<string> {
  const all = [...before.values(), ...after.values()]
  const changed = all.filter(({ name }) => before.get(name)?.text !== after.get(name)?.text)
  const names = namesOf(changed)
  const isTied = ({ text }: Model) =>
    [...names].some((name) => text.includes(name)) && // most models are done with here
    text
      .split('\n')
      .some((line) => /fields:|\/\//.test(line) && wordsIn(line).some((word) => names.has(word)))
  return new Set([...changed, ...all.filter(isTied)].map(({ name }) => name))
}

function modelsAround(whole: ReadonlySet<string>, all: readonly Model[]): ReadonlySet<string> {
  const inside = all.filter(({ name }) => whole.has(name))
  const names = namesOf(inside)
  const named = new Set(inside.flatMap(({ text }) => wordsIn(text)))
  const isBeside = ({ name, table, text }: Model) =>
    named.has(name) || named.has(table) || ownersIn(text).some((owner) => names.has(owner))
  const found = all.filter((each) => whole.has(each.name) || isBeside(each))
  // A trigger knows the ids of all that a morph may belong to.
  const owners = new Set(found.flatMap(({ text }) => ownersIn(text)))
  return new Set(
    [...found, ...all.filter(({ table }) => owners.has(table))].map(({ name }) => name),
  )
}

const namesOf = (models: readonly Model[]) =>
  new Set(models.flatMap(({ name, table }) => [name, table]))

/** A table may be called what no word is, `blog-posts` say; then it stands in quotes. */
const wordsIn = (text: string): readonly string[] => [
  ...(text.match(/\w+/g) ?? []),
  ...[...text.matchAll(/"([^"\n]+)"/g)].map(([, words = '']) => words),
]

const ownersIn = (text: string): readonly string[] =>
  text.includes('/// Belongs to ')
    ? (text.match(/\/\/\/ Belongs to .*/g) ?? []).flatMap(wordsIn)
    : []

/** Without fields whose type is one of these models, and the comments above them. */
function withoutRelations(text: string, models: ReadonlySet<string>): string {
  const lines: string[] = []
  for (const line of text.split('\n')) {
    const type = /^\s+\w+\s+(\w+)/.exec(line)?.[1] ?? ''
    if (!models.has(type)) lines.push(line)
    else while (/^\s*\/\/\//.test(lines.at(-1) ?? '')) lines.pop()
  }
  return lines.join('\n')
}
