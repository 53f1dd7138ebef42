import { diff3Merge } from 'node-diff3'

/** A three-way merge of lines: agreed regions, and those where both sides changed the same lines. */
export type Region =
  | { readonly kind: 'agreed'; readonly lines: readonly string[] }
  | { readonly kind: 'disputed'; readonly mine: readonly string[]; readonly svc: readonly string[] }

/** The way to settle disputed lines: both with markers, the developer's, or svc's. */
export type Settle = 'markers' | 'ours' | 'theirs'

export const markers = { mine: '<<<<<<< yours', between: '=======', svc: '>>>>>>> svc' } as const

/** Text as svc compares it: line feeds only, no byte order mark. What the disk uses is put back by `inStyleOf`. */
export function plain(text: string): string {
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text
  return body.includes('\r') ? body.replaceAll('\r\n', '\n') : body
}

export function sameText(left: string | null, right: string | null): boolean {
  if (left === null || right === null) return left === right
  return left === right || plain(left) === plain(right)
}

/** `text` with the line endings and byte order mark of the file it replaces. */
export function inStyleOf(disk: string | null, text: string): string {
  if (disk === null) return text
  const body = isWindows(disk) ? plain(text).replaceAll('\n', '\r\n') : plain(text)
  return disk.startsWith('\uFEFF') ? `\uFEFF${body}` : body
}

/** The line ending of most lines is the file's: one pasted line does not count. */
function isWindows(text: string): boolean {
  const windows = text.split('\r\n').length - 1
  return windows > 0 && windows * 2 >= text.split('\n').length - 1
}

/** Merges what the developer and svc each made of `base`. Lines travel as numbers: the library keeps them in a plain object. */
export function mergeLines(mine: string, base: string, svc: string): readonly Region[] {
  const known = new Map<string, number>()
  const lines: string[] = []
  const numbered = (text: string) =>
    plain(text)
      .split('\n')
      .map((line) => {
        const number = known.get(line) ?? lines.push(line) - 1
        known.set(line, number)
        return number
      })
  const texts = (numbers: readonly number[]) => numbers.map((number) => lines[number] ?? '')
  const regions = diff3Merge<number>(numbered(mine), numbered(base), numbered(svc), {
    excludeFalseConflicts: true,
  })
  return regions.map(({ ok, conflict }) =>
    conflict === undefined
      ? { kind: 'agreed', lines: texts(ok ?? []) }
      : { kind: 'disputed', mine: texts(conflict.a), svc: texts(conflict.b) },
  )
}

/** The merged text, or null when a region is disputed. */
export function agreedText(regions: readonly Region[]): string | null {
  if (regions.some((region) => region.kind === 'disputed')) return null
  return regions.flatMap((region) => (region.kind === 'agreed' ? region.lines : [])).join('\n')
}

/** The merged text with its disputed regions settled. */
export function settledText(regions: readonly Region[], settle: Settle): string {
  return regions.flatMap((region) => settled(region, settle)).join('\n')
}

function settled(region: Region, settle: Settle): readonly string[] {
  if (region.kind === 'agreed') return region.lines
  if (settle === 'ours') return region.mine
  if (settle === 'theirs') return region.svc
  return [markers.mine, ...region.mine, markers.between, ...region.svc, markers.svc]
}

/** True while the markers that `--conflicts=markers` wrote are still in the file. */
export function hasOwnMarkers(text: string): boolean {
  if (!text.includes(markers.svc)) return false
  const lines = new Set(plain(text).split('\n'))
  return lines.has(markers.mine) && lines.has(markers.svc)
}
