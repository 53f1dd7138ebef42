import { Command } from 'clipanion'
import type { SvcContext } from './context.js'
import { reportFailure } from './failure.js'

/**
 * The base of every command: it prints lines to the reader, and knows whether a person is reading.
 */
export abstract class SvcCommand extends Command<SvcContext> {
  protected say(...lines: readonly string[]): void {
    this.context.stdout.write(lines.map((line) => `${line}\n`).join(''))
  }

  /** For commands that go on after a failure. */
  protected report(error: unknown): void {
    reportFailure(error, this.cli, this.context)
  }

  protected get isOnTerminal(): boolean {
    return isTerminal(this.context.stdin) && isTerminal(this.context.stdout)
  }

  protected get isColored(): boolean {
    return isColored(this.context)
  }
}

export const isTerminal = (stream: object) => 'isTTY' in stream && stream.isTTY === true

/** Colours are for people: on a terminal, unless they said no (no-color.org), or where asked for. */
export function isColored({ stdout, env }: SvcContext): boolean {
  if ((env['NO_COLOR'] ?? '') !== '') return false
  return isTerminal(stdout) || ['1', '2', '3', 'true'].includes(env['FORCE_COLOR'] ?? '')
}
