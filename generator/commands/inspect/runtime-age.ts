import type { Advice } from '../../plan/advice/advice.js'
import type { PlanFile } from '../../plan/status.js'
import { sameText } from '../../source/merge.js'

/** A file of `runtime/` that svc wrote, and would write differently now, whatever its owner made of it. */
const isOldRuntime = ({ path, before, baseBefore, rendered }: PlanFile) =>
  path.startsWith('runtime/') &&
  path !== 'runtime/README.md' &&
  before !== null &&
  baseBefore !== null &&
  rendered !== null &&
  !sameText(baseBefore, rendered)

/**
 * Returns true if that upgrade is about a file: beside older files, those that went and the map are
 * of the upgrade too.
 */
export function isOfOldRuntime(files: readonly PlanFile[]): (file: PlanFile) => boolean {
  const isOld = files.some(isOldRuntime)
  return ({ path }) => isOld && path.startsWith('runtime/')
}

/** `runtime/` is copied from the svckit that generated last: one line, however many of its files are older. */
export function oldRuntime(
  files: readonly PlanFile[],
  versions: { readonly generated: string | undefined; readonly installed: string },
): readonly Advice[] {
  const count = files.filter(isOldRuntime).length
  if (count === 0) return []
  const { generated = 'unknown', installed } = versions
  const which =
    generated === installed
      ? `is older than svckit ${installed}, which is installed`
      : `is that of svckit ${generated}, and ${installed} is installed`
  return [
    {
      rule: 'old-runtime',
      at: 'runtime/',
      message: `${which}: ${count} ${count === 1 ? 'file differs' : 'files differ'}`,
      fix: '`svc generate`, after reading "Upgrading" in node_modules/svckit/CHANGELOG.md',
    },
  ]
}
