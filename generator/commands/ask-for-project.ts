import { cancel, isCancel, select, text } from '@clack/prompts'

export interface Wanted {
  readonly folder: string | undefined
  readonly example: 'blog' | undefined
  readonly database: 'sqlite' | 'postgresql' | undefined
}

/** Asks for what the command line left open; null when the developer gives up. */
export async function askForProject(given: Wanted): Promise<Wanted | null> {
  const folder = given.folder ?? (await askFolder())
  if (isCancel(folder)) return giveUp()
  const example =
    given.folder === undefined ? (given.example ?? (await askExample())) : given.example
  if (isCancel(example)) return giveUp()
  const database = given.database ?? (await askDatabase())
  if (isCancel(database)) return giveUp()
  return { folder, example: example === 'none' ? undefined : example, database }
}

const askFolder = () =>
  text({
    message: 'Where?',
    placeholder: 'blog',
    validate: (value) => (value?.trim() ? undefined : 'Name a folder.'),
  })

const askExample = () =>
  select<'none' | 'blog'>({
    message: 'Start from',
    options: [
      { value: 'none', label: 'users and posts', hint: 'a small manifest to change' },
      { value: 'blog', label: 'the blog', hint: 'every kind of relation' },
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
