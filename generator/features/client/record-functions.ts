import type { KnownRoute, Operation as Name } from '../../plan/routes/routes.js'
import type { Write } from '../../plan/written-columns.js'
import { idsIn, pathText, remarkOf, type OperationView } from './function-view.js'
import type { Reading } from './reading.js'

/** The subject of the functions of one kind of record. */
export interface About {
  readonly summary: string
  /** The ending of the functions' names: the relation. */
  readonly suffix: string
  /** And those that take or give one record. */
  readonly suffixOfOne: string
  readonly reading: Reading
  readonly isMany: boolean
  /** Its lists are walked from where a page ended. */
  readonly hasCursors: boolean
  readonly bodyOf: (write: Write) => string
  /** The last parameter of changes. */
  readonly changeOptions: string
  /** The options type of functions that create a record. */
  readonly writeOptions: string
}

const writes = { store: 'store', update: 'replace', patch: 'patch' } as const

/** The functions of a route to records. */
export function recordFunctions(
  route: KnownRoute,
  operation: Name,
  about: About,
): readonly OperationView[] {
  const common = {
    remark: remarkOf(route, about.summary),
    given: ['api: Api', ...idsIn(route.path)],
    at: pathText(route.path),
  }
  switch (operation) {
    case 'index':
      return listFunctions(route, about, common)
    case 'show':
      return [showFunction(about, common)]
    case 'delete':
      return [deleteFunction(about, common)]
    default:
      return [writeFunction(route, about, common, writes[operation])]
  }
}

/** Members that all functions of a route have. */
interface Common {
  readonly remark: string
  readonly given: readonly string[]
  readonly at: string
}

/** One page of records, and all of them one after the other. */
function listFunctions(
  route: KnownRoute,
  { summary, suffix, reading, isMany, hasCursors }: About,
  { remark, given, at }: Common,
): readonly OperationView[] {
  const { generics, record, listQuery, walkedQuery } = reading
  const common = { generics, parameters: [...given, `query: ${listQuery} = {}`] }
  const index = {
    ...{ ...common, remark, name: `index${suffix}`, answer: `Promise<Page<${record}>>` },
    call: `request(api, 'GET', ${at}, query)`,
  }
  const each = {
    ...{ generics, name: `each${suffix}`, answer: `Each<${record}>` },
    parameters: [...given, `query: ${walkedQuery} = {}`],
    remark: remarkOf(route, `${summary}, page after page`),
    call: `${hasCursors ? 'walkOn' : 'walk'}(api, ${at}, query)`,
  }
  if (!isMany) return [index]
  const from = {
    ...{ generics, name: `pageFrom${suffix}`, answer: `Promise<CursorPage<${record}>>` },
    parameters: [...given, 'cursor: string', `query: ${walkedQuery} & FromCursor = {}`],
    remark: remarkOf(route, `${summary}, from a cursor on; an empty one is the first page`),
    call: `request(api, 'GET', ${at}, { ...query, cursor })`,
  }
  return hasCursors ? [index, from, each] : [index, each]
}

function showFunction({ suffixOfOne, reading }: About, common: Common): OperationView {
  const { generics, record, recordQuery } = reading
  return {
    ...{ remark: common.remark, name: `show${suffixOfOne}`, generics },
    parameters: [...common.given, `query: ${recordQuery} = {}`],
    answer: `Promise<${record}>`,
    call: `requestData(api, 'GET', ${common.at}, query)`,
  }
}

/** `delete` is no name for a function; the module gives it that one. */
function deleteFunction(
  { suffix, suffixOfOne, changeOptions }: About,
  common: Common,
): OperationView {
  return {
    remark: common.remark,
    name: suffix === '' ? 'destroy' : `delete${suffixOfOne}`,
    generics: '',
    parameters: [...common.given, changeOptions],
    answer: 'Promise<void>',
    call: `request(api, 'DELETE', ${common.at}, options)`,
  }
}

function writeFunction(
  { method }: KnownRoute,
  { suffixOfOne, reading, bodyOf, changeOptions, writeOptions }: About,
  common: Common,
  write: Write,
): OperationView {
  return {
    ...{ remark: common.remark, name: write + suffixOfOne, generics: '' },
    parameters: [
      ...common.given,
      `body: ${bodyOf(write)}`,
      write === 'store' ? writeOptions : changeOptions,
    ],
    answer: `Promise<${write === 'store' ? reading.made : reading.changed}>`,
    call: `requestData(api, '${method}', ${common.at}, options, body)`,
  }
}
