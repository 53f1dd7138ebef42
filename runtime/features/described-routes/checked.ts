import { z } from 'zod'
import { badRequest, HttpError, invalid, notFound } from '../../errors.js'
import { parametersOf } from '../../http/request.js'
import { issueText, sentence, worded } from '../../input/messages.js'

type Issue = z.core.$ZodIssue

/** Reads the parameters of a path; a wrong one is 404. */
export async function checkedParams(schema: z.ZodObject, given: object): Promise<object> {
  const { data } = await schema.safeParseAsync(given)
  if (data === undefined) throw notFound()
  return data
}

/** Reads the parameters of a query; 400 names each that is wrong. */
export async function checkedQuery(schema: z.ZodObject, url: string): Promise<object> {
  const parameters = parametersOf(url)
  const given = Object.fromEntries(
    Object.entries(schema.shape).flatMap(([name, part]) => {
      const texts = parameters.getAll(name)
      const last = texts.at(-1)
      if (last === undefined) return []
      return [[name, isList(part) ? listOf(texts) : last] as const]
    }),
  )
  // Only what is unknown is left, which a strict schema refuses.
  const unknown = [...parameters].filter(([name]) => !Object.hasOwn(schema.shape, name))
  const { data, error } = await check(
    schema,
    Object.fromEntries([...unknown, ...Object.entries(given)]),
  )
  if (data !== undefined) return data
  const errors = errorsOf(error.issues)
  throw badRequest(Object.values(errors).flat()[0] ?? 'The query is not valid.', errors)
}

/** Reads a body; 422 names each field that is wrong, and a body that is no object is 400. */
export async function checkedBody<Body>(
  schema: z.ZodType<Body>,
  given: unknown,
): Promise<Body & object> {
  if (typeof given !== 'object' || given === null) {
    throw badRequest('The request body must be a JSON object.')
  }
  const { data, error } = await check(schema, given)
  if (error === undefined) return data as Body & object // an object may become something else
  const errors = errorsOf(error.issues)
  if (Object.keys(errors).length > 0) throw invalid(errors)
  const [whole] = error.issues
  const text = whole?.message ?? 'is not valid'
  const said = /^\p{Lowercase}/u.test(text) ? `The request body ${text}.` : text
  throw whole?.code === 'invalid_type' ? badRequest(said) : new HttpError(422, said)
}

/** Asked again for our sentences, as all rules are: without texts zod is faster. */
async function check<Value>(schema: z.ZodType<Value>, given: unknown) {
  const found = await schema.safeParseAsync(given)
  return found.success ? found : schema.safeParseAsync(given, { error: textOf })
}

const textOf: z.core.$ZodErrorMap = (issue) => {
  const isChoice = issue.code === 'invalid_union' && issue.input !== undefined
  return isChoice && issue.input !== null ? 'is not valid' : issueText(issue)
}

/** By field: `lines.0.price`. What is wrong with the whole is of no field. */
function errorsOf(issues: readonly Issue[]): Record<string, string[]> {
  const errors = new Map<string, string[]>()
  const add = (path: readonly PropertyKey[], text: string) => {
    const field = path.map(String).join('.')
    const texts = errors.get(field) ?? []
    errors.set(field, [...new Set([...texts, sentence(field, text)])])
  }
  for (const issue of issues) {
    const { path, message } = issue
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) add([...path, key], worded('is not known', 'notKnown'))
    } else if (path.length > 0) add(path, message)
  }
  return Object.fromEntries(errors)
}

/** `a,b`, or said several times. */
const listOf = (texts: readonly string[]) => texts.flatMap((text) => text.split(','))

/** Below what may be absent, or has a default. */
function isList(schema: unknown): boolean {
  if (schema instanceof z.ZodArray) return true
  const { def } = schema as {
    readonly def: { readonly innerType?: unknown; readonly in?: unknown }
  }
  const below = def.innerType ?? def.in
  return below !== undefined && isList(below)
}
