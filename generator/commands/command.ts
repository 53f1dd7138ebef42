import { Command, type BaseContext } from 'clipanion'

export interface SvcContext extends BaseContext {
  /** The project is here. */
  readonly cwd: string
}

/** What every command has: lines to the reader, and whether a person is reading. */
export abstract class SvcCommand extends Command<SvcContext> {
  protected say(...lines: readonly string[]): void {
    this.context.stdout.write(lines.map((line) => `${line}\n`).join(''))
  }

  protected get isOnTerminal(): boolean {
    const { stdin, stdout } = this.context
    return isTerminal(stdin) && isTerminal(stdout)
  }
}

const isTerminal = (stream: object) => 'isTTY' in stream && stream.isTTY === true
