import { execFileSync } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
/**
 * npm runs `prepare` in the checkout, where it builds, and once more for every project that links the checkout. A build for
 * one project takes `dist/` away from all others while it runs, so a project builds only what is not there.
 */

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
/** The folder of the package that npm installs; other package managers do not name it. */
const installed = process.env['npm_config_local_prefix'] ?? root
const isOfProject = realpathSync(installed) !== realpathSync(root)

if (!isOfProject || !existsSync(join(root, 'dist/cli.js'))) {
  const shell = process.platform === 'win32' // npm is a script there
  execFileSync('npm', ['run', 'build'], { cwd: root, stdio: 'inherit', shell })
}
