import { ProblemsError } from '../../blueprint/problems-error.js'
import type { Problem } from '../../blueprint/types.js'

/** A Prisma schema that Prisma does not accept. One of svc's own making is a bug; `own.prisma` is the developer's. */
export class PrismaSchemaError extends ProblemsError {
  override readonly name = 'PrismaSchemaError'
}

// The engine's report, once per mistake: `error: <text>\n  -->  <file>:<line>\n`, then an excerpt.
const report = /^error: (?<message>[^]*?)\n\s+-->\s+(?<file>.+?):(?<line>\d+)$/gm

/** Problems in the words of Prisma, without its colours and excerpts. */
export function problemsOf(text: string): readonly Problem[] {
  const plain = text.replace(/\u001b\[[\d;]*m/g, '')
  const found = [...plain.matchAll(report)].map(({ groups }) => ({
    file: groups?.['file'] ?? '',
    line: Number(groups?.['line'] ?? 1),
    column: 1,
    message: (groups?.['message'] ?? '').replace(/^Error (?:parsing|validating): /, '').trim(),
  }))
  return found.filter((one, at) => found.findIndex((each) => isSame(each, one)) === at)
}

const isSame = (one: Problem, other: Problem) =>
  one.file === other.file && one.line === other.line && one.message === other.message
