import { isAbsolute, relative } from 'node:path'
import { UsageError, type Command } from 'clipanion'
import { Refusal } from '../blueprint/refusal.js'
import { ownVersion } from '../source/package-files.js'
import { systemCode, systemReason } from '../write/refusal.js'
import type { SvcContext } from './context.js'

/** Exit codes of `svc`. Listed by `svc --help`. */
export const exitCodes = {
  done: 0,
  /** Problems in the manifest, a refusal, or a last step that failed; the text says what was written. */
  problems: 1,
  pending: 2,
  conflict: 3,
  /** A bug of svc's. */
  bug: 70,
} as const

/** The one place where a failure becomes text and an exit code. A refusal, or a failure of the system, is for the developer; anything else is ours. */
export function reportFailure(
  error: unknown,
  cli: Pick<Command<SvcContext>['cli'], 'error'>,
  context: SvcContext,
): number {
  if (error instanceof Refusal) {
    context.stderr.write(`${error.message}\n`)
    return exitCodes.problems
  }
  if (error instanceof UsageError) {
    context.stderr.write(`${error.message}\n\`svc <command> --help\` says more.\n`)
    return exitCodes.problems
  }
  if (error instanceof Error && isUsageError(error)) {
    context.stderr.write(cli.error(error))
    return exitCodes.problems
  }
  const reason = systemReason(error) ?? goneReason(error, context.cwd)
  if (reason !== null && error instanceof Error) {
    context.stderr.write(
      `svc stopped: ${reason}.\n  ${error.message}\n  fix    fix that and run it again; svc takes back what it had begun\n`,
    )
    return exitCodes.problems
  }
  const stack = error instanceof Error ? error.stack : String(error)
  context.stderr.write(
    `This is a bug in svc ${ownVersion}, not in your project. Please report it with what follows.\n\n${stack}\n`,
  )
  return exitCodes.bug
}

/** A file of the project that was there when it was looked for; one of svc's own is a bug. */
function goneReason(error: unknown, root: string): string | null {
  if (systemCode(error) !== 'ENOENT' || !(error instanceof Error && 'path' in error)) return null
  const path = relative(root, String(error.path))
  const isOfProject = !path.startsWith('..') && !isAbsolute(path) && !path.includes('node_modules')
  return isOfProject ? `'${path}' disappeared meanwhile` : null
}

// Clipanion marks its own errors about the command line this way.
const isUsageError = (error: Error) => 'clipanion' in error
