import { Command, Option, UsageError } from 'clipanion'
import { SvcCommand } from '../../commands/command.js'
import { authActions } from './actions.js'

export class AuthCommand extends SvcCommand {
  static override paths = [['auth'], ['svc:auth']]

  static override usage = Command.Usage({
    category: 'Change',
    description: 'Copy the sign-in controllers, for you to edit',
    details: `
      Copies the controllers that already run, and their mails, to \`app/Http/Controllers/Svc\` and
      \`app/Notifications\`, and routes to the copies in \`routes/api.ts\`. Nothing changes until you edit them.
      svc never writes them again, and tells you if it would write them differently.
    `,
    examples: [
      ['Copy all of them', 'svc auth'],
      ['Copy some', 'svc auth --actions=login,register'],
    ],
  })

  actions = Option.String('--actions', {
    description: `Copy only these: ${authActions.map(({ action }) => action).join(', ')}`,
  })

  override async execute(): Promise<number> {
    const actions = readActions(this.actions)
    const { publishAuth } = await import('./commands/publish-auth.js')
    const features = await this.context.features()
    const { lines, exitCode } = await publishAuth(this.context.cwd, features, actions)
    this.say(...lines)
    return exitCode
  }
}

export class SetupAuthCommand extends SvcCommand {
  static override paths = [['setup-auth'], ['svc:setup-auth']]

  static override usage = Command.Usage({
    category: 'Start',
    description: 'Add sign-in: users, tables, routes and config',
    details: `
      Adds a repository \`users\` with e-mail and password to the manifest, if there is none, and generates. In a project
      that has sign-in already, the command changes nothing.
    `,
  })

  override async execute(): Promise<number> {
    const { setupAuth } = await import('./commands/setup-auth.js')
    const { isColored } = this
    const features = await this.context.features()
    const { lines, exitCode } = await setupAuth(this.context.cwd, features, { isColored })
    this.say(...lines)
    return exitCode
  }
}

function readActions(text: string | undefined) {
  const all = authActions.map(({ action }) => action)
  if (text === undefined) return all
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !all.some((action) => action === name))
  if (unknown === undefined) return all.filter((action) => names.includes(action))
  throw new UsageError(`There is no action '${unknown}'. Actions: ${all.join(', ')}.`)
}
