import type { Blueprint, Problem } from '../../blueprint/types.js'
import { at, type Target } from '../target.js'

/** A problem between the manifest and the database knows a table, and a field of it at most; its place is found in the text. */
export function placed(
  target: Target,
  { entities, database }: Blueprint,
  { about, ...problem }: Problem,
): Problem {
  const form = (name: string) => (database === 'sqlite' ? name.toLowerCase() : name)
  const entity = entities.find(
    ({ table }) => about !== undefined && form(table) === form(about.table),
  )
  const text = entity === undefined ? null : target.files.read(at(target, entity.source))
  if (about === undefined || entity === undefined || text === null) return problem
  const { table, field } = about
  const own = new RegExp(`\\btable: *(['"\`])${escaped(table)}\\1`, 'i').exec(text)?.index
  const start = own ?? callOf(text, entity.key) ?? 0
  const found = field === undefined ? undefined : fieldAfter(text, field, start)
  return { ...problem, file: entity.source, ...positionAt(text, found ?? start) }
}

const escaped = (name: string) => name.replaceAll(/[^\w\s]/g, String.raw`\$&`)

/** Finds the call of `repository` whose table does not tell. */
function callOf(text: string, key: string): number | undefined {
  const calls = [...text.matchAll(/(\w+)['"]?\s*[:=]\s*repository\(/g)]
  const plain = (name = '') => name.replaceAll(/\W|_/g, '').toLowerCase()
  return (calls.find(([, name]) => plain(name) === plain(key)) ?? calls[0])?.index
}

function fieldAfter(text: string, field: string, start: number): number | undefined {
  const name = new RegExp(`(?<=[\\s{,]['"]?)${escaped(field)}(?=['"]?\\s*:)`).exec(
    text.slice(start),
  )
  return name === null ? undefined : start + name.index
}

function positionAt(
  text: string,
  index: number,
): { readonly line: number; readonly column: number } {
  const before = text.slice(0, index).split('\n')
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 }
}
