import type { AnswerShape } from '../../../plan/answer-shape.js'
import type { Data } from '../facts.js'

/** The schema of a computed entry's answer; its hook may answer null too. */
export function answerSchema(shape: AnswerShape): Data {
  return schemaOf(shape.kind === 'any' ? shape : { ...shape, isNullable: true })
}

function schemaOf(shape: AnswerShape): Data {
  if (shape.kind === 'any') return {}
  const named = (name: string) => (shape.isNullable ? [name, 'null'] : name)
  switch (shape.kind) {
    case 'choice':
      return {
        type: named('string'),
        enum: [...shape.options, ...(shape.isNullable ? [null] : [])],
      }
    case 'list':
      return { type: named('array'), items: schemaOf(shape.of) }
    case 'object': {
      const required = shape.members.filter((member) => isAlways(member.isOptional, member.shape))
      return {
        type: named('object'),
        properties: Object.fromEntries(
          shape.members.map(({ name, shape: inner }) => [name, schemaOf(inner)]),
        ),
        ...(required.length === 0 ? {} : { required: required.map(({ name }) => name) }),
      }
    }
    default:
      return { type: named(shape.kind) }
  }
}

/** `undefined` is left out of JSON, and a type may say it without saying that a member is optional. */
const isAlways = (isOptional: boolean, shape: AnswerShape) =>
  !isOptional && shape.kind !== 'any' && !shape.isNullable
