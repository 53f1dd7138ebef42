/** The type of a computed entry's answer, as far as JSON has such a type. */
export type AnswerShape =
  /** Anything: `unknown`, a row, a union of things that differ. */
  { readonly kind: 'any' } | (Shape & { readonly isNullable: boolean })

type Shape =
  | { readonly kind: 'string' | 'number' | 'boolean' }
  | { readonly kind: 'choice'; readonly options: readonly string[] }
  | { readonly kind: 'list'; readonly of: AnswerShape }
  | { readonly kind: 'object'; readonly members: readonly AnswerMember[] }

export interface AnswerMember {
  readonly name: string
  readonly isOptional: boolean
  readonly shape: AnswerShape
}

const any: AnswerShape = { kind: 'any' }

/** Reads `{ minutes: number }`; anything, where it is not said or cannot be read. */
export function answerShape(text: string | undefined): AnswerShape {
  if (text === undefined) return any
  const tokens = [...text.matchAll(TOKENS)].map(([token]) => token)
  const isWhole = text.replaceAll(TOKENS, '').trim() === ''
  const reader = { tokens, at: 0 }
  try {
    const shape = union(reader)
    return isWhole && reader.at === tokens.length ? shape : any
  } catch (error) {
    if (error instanceof Unreadable) return any
    throw error
  }
}

const TOKENS =
  /[A-Za-z_$][\w$]*|-?\d+(?:\.\d+)?|'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|[{}[\]()|&;,:?<>.]/g

interface Reader {
  readonly tokens: readonly string[]
  at: number
}

/** A type that this page does not read, such as a function's. */
class Unreadable extends Error {}

const peek = ({ tokens, at }: Reader) => tokens[at] ?? ''

function next(reader: Reader): string {
  const token = peek(reader)
  reader.at += 1
  return token
}

function skip(reader: Reader, ...tokens: readonly string[]): boolean {
  const isThere = tokens.includes(peek(reader))
  if (isThere) reader.at += 1
  return isThere
}

function expect(reader: Reader, token: string): void {
  if (!skip(reader, token)) throw new Unreadable()
}

function union(reader: Reader): AnswerShape {
  skip(reader, '|')
  const parts = [intersection(reader)]
  while (skip(reader, '|')) parts.push(intersection(reader))
  return joined(parts)
}

/** `null` and `undefined` are parts of a union that make the rest nullable. */
type Part = AnswerShape | 'nothing'

function intersection(reader: Reader): Part {
  const first = postfix(reader)
  let isAlone = true
  while (skip(reader, '&')) {
    postfix(reader)
    isAlone = false
  }
  return isAlone ? first : any
}

function joined(parts: readonly Part[]): AnswerShape {
  const shapes = parts.filter((part) => part !== 'nothing')
  const [first] = shapes
  if (first === undefined || shapes.some(({ kind }) => kind === 'any')) return any
  const isNullable =
    shapes.length < parts.length || shapes.some((each) => 'isNullable' in each && each.isNullable)
  if (shapes.length === 1) return { ...first, isNullable } as AnswerShape // not `any`, see above
  if (shapes.every(({ kind }) => kind === 'choice')) {
    const options = shapes.flatMap((each) => (each.kind === 'choice' ? each.options : []))
    return { kind: 'choice', options: [...new Set(options)], isNullable }
  }
  const kinds = new Set(shapes.map(({ kind }) => (kind === 'choice' ? 'string' : kind)))
  const [kind] = kinds
  const isPlain = kind === 'string' || kind === 'number' || kind === 'boolean'
  return kinds.size === 1 && isPlain ? { kind, isNullable } : any
}

function postfix(reader: Reader): Part {
  skip(reader, 'readonly')
  let part = primary(reader)
  while (skip(reader, '[')) {
    expect(reader, ']')
    part = part === 'nothing' ? any : list(part)
  }
  return part
}

const list = (of: AnswerShape): AnswerShape => ({ kind: 'list', of, isNullable: false })

function primary(reader: Reader): Part {
  const token = next(reader)
  if (token === '{') return object(reader)
  if (token === '(') {
    const inner = union(reader)
    expect(reader, ')')
    return inner
  }
  if (/^['"]/.test(token)) {
    const text = token.slice(1, -1)
    if (text.includes('\\')) return { kind: 'string', isNullable: false }
    return { kind: 'choice', options: [text], isNullable: false }
  }
  if (/^-?\d/.test(token)) return { kind: 'number', isNullable: false }
  if (!/^[A-Za-z_$]/.test(token)) throw new Unreadable()
  return named(token, reader)
}

function named(name: string, reader: Reader): Part {
  if (name === 'null' || name === 'undefined') return 'nothing'
  if (name === 'true' || name === 'false') return { kind: 'boolean', isNullable: false }
  if (name === 'string' || name === 'number' || name === 'boolean') {
    return { kind: name, isNullable: false }
  }
  if (!skip(reader, '<')) return any
  const args = [union(reader)]
  while (skip(reader, ',')) args.push(union(reader))
  expect(reader, '>')
  const [only = any] = args
  if (name === 'Array' || name === 'ReadonlyArray') return list(only)
  return name === 'Readonly' ? only : any
}

function object(reader: Reader): AnswerShape {
  const members: AnswerMember[] = []
  while (!skip(reader, '}')) {
    if (peek(reader) === 'readonly' && !/^[?:]$/.test(reader.tokens[reader.at + 1] ?? '')) {
      reader.at += 1
    }
    const name = next(reader)
    if (!/^[A-Za-z_$'"]/.test(name) || name.includes('\\')) throw new Unreadable()
    const isOptional = skip(reader, '?')
    expect(reader, ':')
    const shape = union(reader)
    members.push({ name: name.replaceAll(/^['"]|['"]$/g, ''), isOptional, shape })
    if (!skip(reader, ';', ',') && peek(reader) !== '}') throw new Unreadable()
  }
  return { kind: 'object', members, isNullable: false }
}
