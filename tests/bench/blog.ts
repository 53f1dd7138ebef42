/** A compiled production build of the emitted blog in a folder of its own. */
import { spawnSync } from 'node:child_process'
import { cp, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

export function environment(databaseFile: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    NODE_ENV: 'production',
    DATABASE_URL: `file:${databaseFile}`,
    LOG_LEVEL: 'warn',
    // Signing in asks for them; no request of a bench does.
    FRONTEND_APP_URL: 'http://localhost:5173',
    APP_KEY: '0'.repeat(64),
    MAIL_MAILER: 'log',
  }
}

/** Without what a manifest has that says nothing: the contestants have no more than their lists. */
const makePlain = (folder: string): Promise<void> =>
  edit(join(folder, 'manifest/index.ts'), 'repositories:', 'readerThreads: false, reads: [], $&')

/** As `svc new` makes it, with versions and a trash for the posts that are measured. */
async function makeNew(folder: string): Promise<void> {
  const posts = join(folder, 'manifest/posts.ts')
  await edit(posts, "title: 'title',", '$& versioned: true, softDeletes: true,')
  const policy = join(folder, 'app/Policies/PostPolicy.ts')
  await edit(policy, '  store:', '  restore: () => false,\n  forceDelete: () => false,\n$&')
}

async function edit(file: string, before: string, after: string): Promise<void> {
  const text = await readFile(file, 'utf8')
  if (!text.includes(before)) throw new Error(`${file} has no "${before}".`)
  await writeFile(file, text.replace(before, after.replace('$&', before)))
}

/** @param isNew As `svc new` makes a project, and with more on the posts: a superset of the tables. */
export async function buildBlog(
  folder: string,
  database: 'sqlite' | 'postgresql' = 'sqlite',
  { isNew = false }: { readonly isNew?: boolean } = {},
): Promise<void> {
  const blog = join(root, 'fixtures/blog')
  for (const part of ['manifest', 'app', 'prisma']) {
    await cp(join(blog, part), join(folder, part), { recursive: true })
  }
  const index = join(folder, 'manifest/index.ts')
  const text = await readFile(index, 'utf8')
  await writeFile(index, text.replace(/database: '\w+'/, `database: '${database}'`))
  await (isNew ? makeNew(folder) : makePlain(folder))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  step('node', [join(root, 'dist/cli.js'), 'generate'], folder)
  step('node', [join(root, 'dist/cli.js'), 'migrate', 'save', 'init'], folder)
  // Without Prisma's client, which no request of a bench uses.
  step('npm', ['run', '--ignore-scripts', 'build'], folder)
}

function step(command: string, args: string[], cwd: string): void {
  const { status } = spawnSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} exited with ${status}`)
}
