import { runAlone, runConfig } from './config-data.js'
import { anything } from './field-gates.js'

type Names = Readonly<Record<string, ReadonlySet<string>>>

/**
 * The keys of members of what a file exports: the fields that `canSee` of a policy gates, the columns that `fill` of hooks
 * fills. Null for a file that runs only inside the server. Nothing in it is called.
 */
export async function readNames(
  text: string,
  exported: string,
  members: readonly string[],
): Promise<Names | null> {
  try {
    const found = (await runAlone(text, () => anything))[exported]
    if (!isRecord(found)) return null
    return Object.fromEntries(members.map((member) => [member, keysOf(found[member])]))
  } catch {
    return null
  }
}

/** Reads the exports of `config/svc.ts` as data; empty where it runs only inside the server. */
export async function readConfig(text: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return await runConfig(text)
  } catch {
    return {}
  }
}

const keysOf = (value: unknown): ReadonlySet<string> =>
  new Set(isRecord(value) ? Object.keys(value) : [])

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
