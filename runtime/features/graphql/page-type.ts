import {
  getNamedType,
  getNullableType,
  type GraphQLNamedOutputType,
  type GraphQLOutputType,
  isListType,
  isObjectType,
} from 'graphql'
import { type RecordType, recordTypeOf } from './record-type.js'

/** The member of a page that is its list of records. */
const listMember = 'data'

/** Finds the list of a page's type; null: the type is no page. */
export function listedIn(type: GraphQLOutputType): GraphQLNamedOutputType | null {
  const named = getNamedType(type)
  const list = isObjectType(named) ? named.getFields()[listMember]?.type : undefined
  return list !== undefined && isListType(getNullableType(list)) ? getNamedType(list) : null
}

/** The type of the records of which a type shows a page; null: it shows none. */
export function pagedIn(type: GraphQLOutputType): RecordType | null {
  const listed = recordTypeOf(type) === null ? listedIn(type) : null
  return listed && recordTypeOf(listed)
}
