import { isDeepStrictEqual } from 'node:util'
import type { Server } from './server.js'
import { headers, workItems, type Calls, type HttpRequest, type WorkItem } from './work.js'

export interface Answer {
  readonly rows: unknown
  readonly bytes: number
}

export type Answers = Partial<Record<WorkItem, readonly Answer[]>>

/** The first two answers to each work item, as rows. */
export async function answersOf(server: Server, calls: Calls): Promise<Answers> {
  const answers: Answers = {}
  for (const item of workItems) {
    const call = calls[item]
    if (call === undefined) continue
    answers[item] = []
    for (const n of [3, 4]) {
      const { status, text } = await ask(server, call.request(n))
      if (status >= 300) throw new Error(`${item} answers ${status}: ${text.slice(0, 300)}`)
      const rows: unknown = call.rows(JSON.parse(text))
      answers[item] = [...answers[item], { rows, bytes: Buffer.byteLength(text) }]
    }
  }
  return answers
}

export async function ask(
  { port }: Server,
  { method, path, body }: HttpRequest,
): Promise<{ status: number; text: string }> {
  const url = `http://127.0.0.1:${port}${path}`
  const response = await fetch(url, { method, headers, ...(body === undefined ? {} : { body }) })
  return { status: response.status, text: await response.text() }
}

/** A ratio between servers that answer other rows would mean nothing. */
export function checkAnswers(expected: Answers, given: Answers): void {
  for (const item of workItems) {
    given[item]?.forEach(({ rows }, at) => {
      const wanted = expected[item]?.[at]?.rows
      if (isDeepStrictEqual(rows, wanted)) return
      const show = (value: unknown) => JSON.stringify(value)?.slice(0, 150)
      throw new Error(`${item} answers other rows: ${show(rows)} instead of ${show(wanted)}`)
    })
  }
}
