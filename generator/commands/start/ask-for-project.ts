import { cancel, isCancel, select, text } from '@clack/prompts'
import type { Example } from '../../plan/render/starter.js'

type Policies = 'owner' | 'signed-in' | 'public-read' | 'nobody'

export interface Wanted {
  readonly folder: string | undefined
  readonly example: Example | undefined
  readonly database: 'sqlite' | 'postgresql' | undefined
  readonly policies: Policies | undefined
}

/** Asks for what the command line left open; null when the developer gives up. */
export async function askForProject(given: Wanted): Promise<Wanted | null> {
  const folder = given.folder ?? (await askFolder())
  if (isCancel(folder)) return giveUp()
  const example =
    given.folder === undefined ? (given.example ?? (await askExample())) : given.example
  if (isCancel(example)) return giveUp()
  const isSmall = example === undefined || example === 'none'
  const policies = given.policies ?? (isSmall ? await askPolicies() : undefined)
  if (isCancel(policies)) return giveUp()
  const database = given.database ?? (await askDatabase())
  if (isCancel(database)) return giveUp()
  return { folder, example: example === 'none' ? undefined : example, database, policies }
}

const askFolder = () =>
  text({
    message: 'Where?',
    placeholder: 'blog',
    validate: (value) => (value?.trim() ? undefined : 'Name a folder.'),
  })

const askExample = () =>
  select<'none' | Example>({
    message: 'Start from',
    options: [
      { value: 'none', label: 'users and posts', hint: 'a small manifest to change' },
      { value: 'shop', label: 'a shop', hint: 'roles, decimals, orders of several people' },
      { value: 'team', label: 'a team', hint: 'tenants, members, invitations' },
      { value: 'blog', label: 'the blog', hint: 'every kind of relation' },
    ],
  })

const askPolicies = () =>
  select<Policies>({
    message: 'Who may read and write at first',
    options: [
      { value: 'owner', label: 'users read and write their own rows' },
      { value: 'signed-in', label: 'signed-in users read and write all rows' },
      { value: 'public-read', label: 'everyone reads', hint: 'and writes their own rows' },
      { value: 'nobody', label: 'nobody', hint: 'until you change the policies' },
    ],
  })

const askDatabase = () =>
  select<'sqlite' | 'postgresql'>({
    message: 'Database',
    options: [
      { value: 'sqlite', label: 'SQLite', hint: 'a file, nothing to install' },
      { value: 'postgresql', label: 'PostgreSQL' },
    ],
  })

function giveUp(): null {
  cancel('Nothing was made.')
  return null
}
