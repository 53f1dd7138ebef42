import { readdir, readFile } from 'node:fs/promises'

/** Milliseconds of processor time of a process, all it started, and those of them that ended. NaN where there is no /proc. */
export async function cpuOfTree(pid: number): Promise<number> {
  const names = await readdir('/proc').catch(() => null)
  if (names === null) return Number.NaN
  const numbers = names.filter((name) => /^\d+$/.test(name))
  const all = (await Promise.all(numbers.map(statOf))).filter((each) => each !== null)
  const tree = new Set([pid])
  for (let size = 0; size !== tree.size;) {
    size = tree.size
    for (const each of all) if (tree.has(each.parent)) tree.add(each.pid)
  }
  const ticks = all.filter((each) => tree.has(each.pid)).reduce((sum, each) => sum + each.ticks, 0)
  return ticks * 10 // a hundred in a second
}

async function statOf(pid: string) {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  if (text === null) return null
  // Behind the name in parentheses: state, parent …, and from the twelfth on the times, those of ended children too.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  return { pid: Number(pid), parent: Number(fields[1]), ticks }
}
