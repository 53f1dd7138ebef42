import { Refusal } from '../../../blueprint/refusal.js'
import { targetAt } from '../../../write/target.js'
import { type Answered, type AskedWhy, questionCodes } from './answers.js'
import { askProject } from './ask-project.js'
import { CannotAsk } from './cannot-ask.js'
import { policyPlaces } from './policy-places.js'

interface WhyLine extends Pick<AskedWhy, 'about' | 'field'> {
  readonly words: readonly string[]
  readonly body: string | null
}

export interface Told {
  readonly lines: readonly string[]
  readonly json: object
  readonly exitCode: number
}

/** `svc why`: one question, of the policies and the database of the project here. */
export async function askWhy(root: string, line: WhyLine, isColored: boolean): Promise<Told> {
  return orCannot(async () => {
    const asked = { ...askedOf(line), isColored }
    const places = { told: await policyPlaces(targetAt(root).root) }
    return told(await askProject(root, (ask) => ask('why', asked), {}, places))
  })
}

export function told(found: Answered): Told {
  if ('cannot' in found) throw new CannotAsk(found.cannot)
  const { lines, json, answer } = found
  return { lines, json, exitCode: questionCodes[answer] }
}

/** Prints why a question cannot be asked, with an exit code of its own. */
export async function orCannot(work: () => Promise<Told>): Promise<Told> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return {
      lines: [error.message],
      json: { cannot: error.message },
      exitCode: questionCodes.cannot,
    }
  }
}

function askedOf({ about, words, body, field }: WhyLine): Omit<AskedWhy, 'isColored'> {
  const isRequest = /^[A-Z]+\s/.test(about)
  const most = isRequest ? 1 : 3
  if (words.length > most)
    throw new CannotAsk(`There is one argument too many: '${words[most] ?? ''}'. ${usage}`)
  if (!isRequest && words.length === 0) throw new CannotAsk(`Name the record. ${usage}`)
  const [id = '', user = 'guest', operation = 'show'] = isRequest ? ['', ...words] : words
  return { about, id, user, operation, field, body: body === null ? null : readBody(body) }
}

const usage = '`svc why posts 7 ada@example.com update`'

function readBody(text: string): Readonly<Record<string, unknown>> {
  const problem = new CannotAsk(`--body is an object as JSON: --body '{ "title": "New" }'`)
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw problem
    return { ...value }
  } catch {
    throw problem
  }
}
