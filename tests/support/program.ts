import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectScript } from '../../generator/load/project-script.js'
import { fewerModules } from '../../generator/write/project/fewer-modules.js'
import { targetAt } from '../../generator/write/target.js'

let made = 0

/**
 * A file that Node runs in place of `tsx <path>`, which takes a second of CPU to load a project, module by module. It lies in the folder,
 * whose packages it finds.
 */
export async function program(folder: string, path: string): Promise<string> {
  const text = await projectScript(folder, `import './${path}'`, fewerModules(targetAt(folder)))
  made += 1
  const file = join(folder, `.program-${process.pid}-${made}.mjs`)
  writeFileSync(file, text)
  return file
}
