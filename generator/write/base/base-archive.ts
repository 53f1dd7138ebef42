import { Refusal } from '../../blueprint/refusal.js'
import { splitSides } from '../../source/branches.js'
import { markers, plain } from '../../source/merge.js'

/*
 *  # What svc wrote last …
 *  app/Models.ts
 *   a line of that file, with a space before it
 *
 *   an empty line has none, so that no editor finds anything to trim
 *  app/log.ts
 *   all lines of a file that␤the manifest does not change␤are one line
 *  app/auth.ts
 *  \ no line break at the end                 (where there is none)
 *
 * Lines of files that the manifest changes are kept apart: git then merges them here as it merges them there. Packed, two
 * branches that each add a field would never come together without a conflict in this file.
 */

/** A text of the archive, and its lines as they stand there. */
export interface Section {
  readonly text: string
  readonly lines: string
}

export type Sections = ReadonlyMap<string, Section>

export interface Archive {
  readonly sections: Sections
  /** Git could not merge it: a section may hold both texts. */
  readonly isTorn: boolean
}

const head =
  '# What svc wrote last, a section a file: `svc generate` compares your files with it. Do not edit it;\n' +
  '# where git could not merge it, run `svc generate`, which settles both sides.\n'

const unended = '\\ no line break at the end\n'

/** Equal texts make equal archives. `known`: sections as they were read, which need not be made again. */
export function archiveOf(texts: ReadonlyMap<string, string>, known: Sections): string {
  const sections = [...texts.keys()].toSorted().map((path) => {
    const section = known.get(path)
    const text = texts.get(path) ?? ''
    return `${path}\n${section?.text === text ? section.lines : linesOf(path, text)}`
  })
  return head + sections.join('')
}

/** Stands for a line break between lines that are joined; in a text, `␛n` stands for it, and `␛e` for `␛`. */
const joint = '␤'

function linesOf(path: string, text: string): string {
  const body = plain(text)
  if (body === '') return ''
  const isEnded = body.endsWith('\n')
  const escaped = body.replaceAll(/[␛␤]/g, (each) => (each === joint ? '␛n' : '␛e'))
  const all = isEnded ? escaped.slice(0, -1) : escaped
  const lines = followsManifest(path, body) ? all : all.replaceAll('\n', joint)
  const first = lines === '' || lines.startsWith('\n') ? '' : ' '
  return `${first}${lines.replaceAll(/\n(?=[^\n])/g, '\n ')}\n${isEnded ? '' : unended}`
}

/** True if a file says so in its first line, which JSON does not have. */
const followsManifest = (path: string, body: string) =>
  path.endsWith('.json') || /^.* from manifest\//.test(body)

/** `path`: where it is, for the message. Of an archive that git could not merge, the sections of both sides. */
export function readArchive(archive: string, path: string): Archive {
  const text = plain(archive)
  if (!torn.test(text)) return { sections: sectionsIn(text), isTorn: false }
  const sides = splitSides(text)
  if (sides === null) throw new Refusal(unreadable(path))
  return { sections: ofSides(sectionsIn(sides.left), sectionsIn(sides.right)), isTorn: true }
}

/** Joins the last texts of two branches that met in git, by path; both where they differ. */
function ofSides(left: Sections, right: Sections): Sections {
  const paths = new Set([...left.keys(), ...right.keys()])
  return new Map(
    [...paths].flatMap((path) => {
      const [one, other] = [left.get(path), right.get(path)]
      const section = one === undefined || other === undefined ? (one ?? other) : both(one, other)
      return section === undefined ? [] : [[path, section] as const]
    }),
  )
}

/** Both texts as git leaves them in a file. */
export function ofBranches(left: string | null, right: string | null): string | null {
  if (left === null || right === null || left === right) return left ?? right
  return `${markers.mine}\n${left}${markers.between}\n${right}${markers.svc}\n`
}

function both(one: Section, other: Section): Section {
  return one.text === other.text ? one : { text: ofBranches(one.text, other.text) ?? '', lines: '' }
}

const torn = /^(?:<{7} |={7}$|>{7} )/m

const unreadable = (path: string) =>
  `'${path}' holds half of a merge, so svc cannot tell your edits from its own text.\n` +
  `  fix    git checkout --merge -- ${path}, then \`svc generate\``

function sectionsIn(text: string): Sections {
  const sections = new Map<string, Section>()
  let path: string | null = null
  let start = 0
  const close = (end: number) => {
    if (path === null) return
    const lines = text.slice(start, end)
    sections.set(path, { text: textOf(lines), lines })
  }
  for (let at = 0; at < text.length;) {
    const next = nextHeading(text, at)
    close(next)
    const end = text.indexOf('\n', next)
    path = text.slice(next, end === -1 ? text.length : end)
    start = at = end === -1 ? text.length : end + 1
    if (next === text.length) return sections
  }
  close(text.length)
  return sections
}

/** Finds the next line that is neither of a text, nor empty, nor a remark. */
function nextHeading(text: string, from: number): number {
  for (let at = from; at < text.length;) {
    if (!' \n#\\'.includes(text.charAt(at))) return at
    const end = text.indexOf('\n', at)
    at = end === -1 ? text.length : end + 1
  }
  return text.length
}

function textOf(lines: string): string {
  const isUnended = lines.endsWith(unended)
  const body = isUnended ? lines.slice(0, -unended.length - 1) : lines
  const text = (body.startsWith(' ') ? body.slice(1) : body).replaceAll('\n ', '\n')
  return text.replaceAll(/␤|␛[ne]/g, (each) => unjoined[each] ?? each)
}

const unjoined: Readonly<Record<string, string>> = { [joint]: '\n', '␛n': joint, '␛e': '␛' }
