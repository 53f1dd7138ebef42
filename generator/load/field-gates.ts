import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runAlone } from './config-data.js'

/** Fields whose gate denies everyone, so that no permission could show or write them. */
export interface ClosedFields {
  readonly shown: ReadonlySet<string>
  readonly written: ReadonlySet<string>
}

/**
 * Asks the field gates of a policy with a mock user: it answers true to every check, has `id` 1, and accepts any other
 * call; and with null. A field is closed when its gate denies both, has not looked at the user, and names nothing
 * else it could depend on: then it denies everyone, everywhere. What cannot be asked here is open. Nothing of the
 * server runs, so no database is needed.
 */
export async function readClosedFields(root: string, name: string): Promise<ClosedFields | null> {
  const path = join(root, `app/Policies/${name}Policy.ts`)
  try {
    // One that is not there, or cannot be read, says nothing; what svc writes is compared with it later.
    const text = readFileSync(path, 'utf8')
    if (!/\bcan(?:See|Store|Update)\b/.test(text)) return null
    const exported = await runAlone(text, () => anything)
    const policy = exported[`${name}Policy`]
    if (!isRecord(policy)) return null
    const stored = closedBy(policy['canStore'])
    const updated = closedBy(policy['canUpdate'])
    const written = [...stored].filter((field) => updated.has(field))
    return { shown: closedBy(policy['canSee']), written: new Set(written) }
  } catch {
    // A policy that runs only inside the server: then everything could be shown.
    return null
  }
}

function closedBy(gates: unknown): ReadonlySet<string> {
  if (!isRecord(gates)) return new Set()
  const closed = Object.entries(gates).filter(
    ([, gate]) => typeof gate === 'function' && denies(gate),
  )
  return new Set(closed.map(([field]) => field))
}

function denies(gate: Function): boolean {
  let isAsked = false
  const user = mockUser(() => (isAsked = true))
  try {
    const answers = [user, null].map((asking): unknown => Reflect.apply(gate, undefined, [asking]))
    return answers.every((answer) => answer === false) && !isAsked && isConstant(gate)
  } catch {
    return false
  }
}

/**
 * Lists the fields whose `canSee` gate may answer a condition, so that their value can be null in a response. What cannot be
 * asked here may.
 */
export async function readRowGates(text: string, exported: string): Promise<ReadonlySet<string>> {
  const policy = (await runAlone(text, () => anything))[exported]
  const gates = isRecord(policy) && isRecord(policy['canSee']) ? policy['canSee'] : {}
  const found = Object.entries(gates).filter(
    ([, gate]) => typeof gate === 'function' && mayAnswerCondition(gate),
  )
  return new Set(found.map(([field]) => field))
}

function mayAnswerCondition(gate: Function): boolean {
  const body = withoutComments(gate).replace(/^[^=]*?=>/s, '')
  if (/[{,]\s*['"]?[\w$]+['"]?\s*:|\{\s*[\w$]+\s*[,}]/.test(body)) return true
  try {
    return [mockUser(() => {}), null].some((user) => {
      const answer: unknown = Reflect.apply(gate, undefined, [user])
      return answer === anything || isRecord(answer)
    })
  } catch {
    return true
  }
}

const withoutComments = (gate: Function): string =>
  gate.toString().replaceAll(/\/\*.*?\*\/|\/\/[^\n]*/gs, '')

/** Returns true if a function is made of its own parameters and of constants: `() => false`. */
function isConstant(gate: Function): boolean {
  const text = withoutComments(gate)
  const form = /^(?:(\w+)\s*=>|\w*\s*\w*\s*\(([^)]*)\)\s*(?:=>)?)(.*)$/s
  const [, one = '', several = '', body = ''] = form.exec(text) ?? []
  const own = new Set([...`${one} ${several}`.matchAll(/\w+/g)].map(([name]) => name))
  const names = [...body.matchAll(/[A-Za-z_$][\w$]*/g)].map(([name]) => name)
  return body !== '' && names.every((name) => own.has(name) || constants.has(name))
}

const constants = new Set(['return', 'true', 'false', 'null', 'undefined'])

/** `id` is 1, `can('edit')` true, `cannot('edit')` false; anything else is a call that answers true. */
function mockUser(ask: () => void): object {
  return new Proxy(
    {},
    {
      get: (_user, property) => {
        ask()
        if (property === 'id') return 1
        return () => property !== 'cannot'
      },
      has: () => true,
    },
  )
}

/**
 * Stands for an import of a policy: it can be called, built, read and spread, and is always itself.
 */
export const anything: object = new Proxy(function () {}, {
  get: (_target, property) => (property === Symbol.toPrimitive ? () => '' : anything),
  apply: () => anything,
  construct: () => anything,
})

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
