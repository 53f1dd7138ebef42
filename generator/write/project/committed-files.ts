import { execFileSync } from 'node:child_process'
import { posix } from 'node:path'
import { at, svcPaths, type Target } from '../target.js'

/** Without git: what no project commits. */
const uncommitted = /(^|\/)(node_modules|dist|coverage|storage|\.git|\.env)$|^prisma\/client$/

/** Lists the files that are in version control, or would be: relative paths. */
export function committedFiles(target: Target): readonly string[] {
  try {
    const words = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
    const listed = execFileSync('git', words, {
      cwd: target.root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 64 * 1024 * 1024,
    })
    return listed
      .split('\0')
      .filter((path) => path !== '' && !path.startsWith(`${svcPaths.folder}/`))
  } catch {
    // No git here, or no repository.
    return filesIn(target, '.')
  }
}

function filesIn(target: Target, folder: string): readonly string[] {
  return [...target.files.list(at(target, folder))].flatMap(([name, kind]) => {
    const path = posix.join(folder, name)
    if (uncommitted.test(path) || path === svcPaths.folder) return []
    if (kind === 'folder') return filesIn(target, path)
    return kind === 'file' ? [path] : []
  })
}
