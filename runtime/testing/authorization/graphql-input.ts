import {
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  isNonNullType,
  type GraphQLInputType,
} from 'graphql'
import { getOwn } from '../../model/get-own.js'
import type { Row, Values } from '../tested.js'
import { partBody, wholeBody } from './bodies.js'
import type { Relation } from './decided.js'
import type { Scene } from './scene.js'

/** The fields that the input has, as its types want them. */
export function fitting(values: Values, type: GraphQLInputType): Values {
  const named = getNamedType(type)
  if (!isInputObjectType(named)) return values
  const fields = Object.values(named.getFields()).filter(
    ({ name }) => getOwn(values, name) !== undefined,
  )
  return Object.fromEntries(fields.map((each) => [each.name, inType(values[each.name], each.type)]))
}

function inType(value: unknown, type: GraphQLInputType): unknown {
  const name = String(getNamedType(type))
  if (typeof value === 'string' && (name === 'Float' || name === 'Int')) return Number(value)
  return typeof value === 'number' && (name === 'ID' || name === 'String') ? String(value) : value
}

/** A change of nothing but what the input cannot do without. */
export async function changeOf(
  scene: Scene,
  of: string,
  row: Row,
  type: GraphQLInputType,
): Promise<Values> {
  const { values } = await partBody(scene, of)
  const named = getNamedType(type)
  if (!isInputObjectType(named)) return values
  const required = Object.values(named.getFields()).filter((each) => isNonNullType(each.type))
  if (required.every(({ name }) => Object.hasOwn(values, name))) return fitting(values, type)
  const whole = await wholeBody(scene, of, row)
  const names = required.map(({ name }) => [name, whole.values[name]] as const)
  return fitting({ ...Object.fromEntries(names), ...values }, type)
}

/** An argument that names the related record: alone, in a list, or with pivot fields. */
export function relatedValue(
  name: string,
  type: GraphQLInputType,
  related: Row,
  relation: Relation,
): unknown {
  const nullable = getNullableType(type)
  if (isListType(nullable)) return [relatedValue(name, nullable.ofType, related, relation)]
  if (isInputObjectType(nullable)) {
    const fields = Object.values(nullable.getFields())
    const values = fields.map((each) => [
      each.name,
      relatedValue(each.name, each.type, related, relation),
    ])
    const known = values.filter(([, value]) => value !== undefined)
    return known.length === 0 ? undefined : Object.fromEntries(known)
  }
  return String(nullable) === 'ID' ? String(related.id) : getOwn(relation.values, name)
}
