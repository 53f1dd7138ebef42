import { studly } from '../../blueprint/names/names.js'
import type { Entity } from '../../blueprint/types.js'
import { answerShape, type AnswerShape } from '../../plan/answer-shape.js'
import type { FreeName } from './names.js'
import type { GraphqlSettings } from './settings.js'

/** The answer of a computed entry: its type, and the types of objects in it. */
export interface AnswerType {
  readonly type: string
  readonly objects: readonly AnswerObject[]
}

interface AnswerObject {
  readonly name: string
  /** `minutes: Float!` */
  readonly members: readonly string[]
}

/** By `posts.reading_time`: as the manifest says, or the config; JSON where that has no name in GraphQL. */
export function answerTypesOf(
  entities: readonly Entity[],
  names: ReadonlyMap<string, string>,
  { fields }: GraphqlSettings,
  free: FreeName,
): ReadonlyMap<string, AnswerType> {
  const found = entities.flatMap(({ key: of, computed }) => {
    const owner = names.get(of)
    if (owner === undefined) return []
    return computed.map(({ key, answer }) => {
      const place = `${of}.${key}`
      const configured = fields[place]
      if (configured !== undefined) return [place, { type: configured, objects: [] }] as const
      return [place, answerTypeOf(answer, `${owner}${studly(key)}`, free)] as const
    })
  })
  return new Map(found)
}

/** The type of an answer that TypeScript describes; `name` begins the names of objects in it. */
export function answerTypeOf(answer: string | undefined, name: string, free: FreeName): AnswerType {
  const objects: AnswerObject[] = []
  const type = typeOf(answerShape(answer), name, free, objects)
  return { type, objects }
}

const scalars = { string: 'String', choice: 'String', number: 'Float', boolean: 'Boolean' } as const

/** The type without what says that it is never null; objects are added to `objects`. */
function typeOf(shape: AnswerShape, name: string, free: FreeName, objects: AnswerObject[]): string {
  if (shape.kind === 'any') return 'JSON'
  if (shape.kind === 'list') {
    if (shape.of.kind === 'any') return 'JSON'
    return `[${typeOf(shape.of, name, free, objects)}${isAlways(shape.of) ? '!' : ''}]`
  }
  if (shape.kind !== 'object') return scalars[shape.kind]
  const isNamed = shape.members.every(({ name: each }) => /^(?!__)[A-Za-z_]\w*$/.test(each))
  if (!isNamed || shape.members.length === 0) return 'JSON'
  const given = free(name)
  const members = shape.members.map(({ name: each, isOptional, shape: inner }) => {
    const type = typeOf(inner, `${name}${studly(each)}`, free, objects)
    return `${each}: ${type}${isOptional || !isAlways(inner) ? '' : '!'}`
  })
  objects.push({ name: given, members })
  return given
}

const isAlways = (shape: AnswerShape) => shape.kind !== 'any' && !shape.isNullable
