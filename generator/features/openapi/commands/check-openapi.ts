import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Refusal } from '../../../blueprint/refusal.js'
import { exitCodes } from '../../../commands/failure.js'
import { systemCode } from '../../../write/refusal.js'
import { breakingChanges, type Change } from '../breaking/changes.js'
import type { Data } from '../facts.js'
import { documentPath } from '../operations/paths.js'
import { isData, readOwn } from '../own.js'

/** Compares the document of the project with an older one, and names what a client of that would fall over. */
export function checkOpenapi(
  root: string,
  oldPath: string,
): { lines: readonly string[]; json: object; exitCode: number } {
  const old = read(resolve(root, oldPath), oldPath)
  const now = read(join(root, documentPath), documentPath)
  const changes = breakingChanges(old, now)
  const exitCode = changes.length === 0 ? exitCodes.done : exitCodes.pending
  return { lines: linesOf(changes, oldPath), json: { changes }, exitCode }
}

function read(file: string, shown: string): Data {
  const found = readOwn(textOf(file, shown))
  if (typeof found === 'string') throw new Refusal(`${shown} cannot be read: ${found}`)
  const isDocument = /^3\.[01]\./.test(String(found['openapi'])) && isData(found['paths'])
  if (isDocument) return found
  throw new Refusal(`${shown} is no OpenAPI document of version 3.0 or 3.1 with paths.`)
}

function textOf(file: string, shown: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (systemCode(error) === null) throw error
    if (systemCode(error) !== 'ENOENT')
      throw new Refusal(`${shown} cannot be read: ${systemCode(error)}.`)
    const fix =
      shown === documentPath
        ? '\n  fix    take `openapi: false` out of manifest/index.ts, and run svc generate'
        : ''
    throw new Refusal(`${shown} is not there.${fix}`)
  }
}

function linesOf(changes: readonly Change[], oldPath: string): readonly string[] {
  if (changes.length === 0) return [`Nothing that ${oldPath} says is broken.`]
  const operations = [...new Set(changes.map(({ operation }) => operation))]
  return [
    `${changes.length} breaking ${changes.length === 1 ? 'change' : 'changes'} since ${oldPath}:`,
    ...operations.flatMap((operation) => [
      '',
      operation,
      ...changes
        .filter((change) => change.operation === operation)
        .map(({ at, text }) => `  ${at}  ${text}`),
    ]),
  ]
}
