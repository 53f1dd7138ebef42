/** Plots as SVG text. Colours follow the reader's scheme, as in the other pictures of docs/pictures. */

const style = `
    text { fill: #1f2328 } .quiet { fill: #59636e; font-size: 12px } .head { font-weight: 600 } .end { text-anchor: end }
    .middle { text-anchor: middle } .own { fill: #0969da } .other { fill: #afb8c1 } .axis { stroke: #d1d9e0; fill: none }
    .line { fill: none; stroke-width: 2 } .a { stroke: #0969da } .b { stroke: #8c959f } .c { stroke: #0969da; stroke-dasharray: 5 4 }
    .d { stroke: #8c959f; stroke-dasharray: 5 4 }
    @media (prefers-color-scheme: dark) {
      text { fill: #f0f6fc } .quiet { fill: #9198a1 } .own { fill: #4493f8 } .other { fill: #656c76 } .axis { stroke: #3d444d }
      .a, .c { stroke: #4493f8 } .b, .d { stroke: #9198a1 }
    }
  `

export function picture(title: string, width: number, height: number, parts: readonly string[]) {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" font-family="system-ui, sans-serif" font-size="13">
  <title>${escaped(title)}</title>
  <style>${style}</style>
  ${parts.join('\n  ')}
</svg>
`
}

export const label = (x: number, y: number, text: string, look = ''): string =>
  `<text x="${x}" y="${y}"${look === '' ? '' : ` class="${look}"`}>${escaped(text)}</text>`

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Microseconds as people read them. */
export function duration(us: number): string {
  if (us < 1_000) return `${us.toFixed(0)} µs`
  const [value, unit] = us < 1e6 ? [us / 1e3, 'ms'] : [us / 1e6, 's']
  return `${value.toFixed(value < 10 ? 1 : 0)} ${unit}`
}

export interface Bar {
  readonly value: number | undefined
  readonly isOwn: boolean
}

/** One column of bars below each other, each with its number; a dash where there is none. */
export function bars(
  at: { x: number; y: number; width: number; step: number },
  all: readonly Bar[],
) {
  const longest = Math.max(...all.map(({ value }) => value ?? 0))
  // The number stands behind the longest one too.
  const room = at.width - 52
  return all.map(({ value, isOwn }, index) => {
    const y = at.y + index * at.step
    if (value === undefined) return label(at.x, y + 12, '–', 'quiet')
    const width = Math.max(1, Math.round((value / longest) * room))
    const bar = `<rect class="${isOwn ? 'own' : 'other'}" x="${at.x}" y="${y}" width="${width}" height="15" rx="2"/>`
    return bar + label(at.x + width + 5, y + 12, duration(value), isOwn ? 'head quiet' : 'quiet')
  })
}

export interface Line {
  readonly name: string
  readonly look: 'a' | 'b' | 'c' | 'd'
  readonly points: readonly (readonly [x: number, y: number])[]
}

interface Axes {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly title: string
  /** Of the numbers at the side. */
  readonly unit: (value: number) => string
}

/** Lines over steps that stand equally far apart (10, 100, 1,000); the side is logarithmic. */
export function lines({ x, y, width, height, title, unit }: Axes, all: readonly Line[]): string[] {
  const steps = [...new Set(all.flatMap(({ points }) => points.map(([step]) => step)))]
  steps.sort((a, b) => a - b)
  const values = all.flatMap(({ points }) => points.map(([, value]) => value))
  const low = Math.floor(Math.log10(Math.min(...values)))
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values))))
  const across = (step: number) =>
    Math.round(x + (steps.indexOf(step) / Math.max(1, steps.length - 1)) * width)
  const up = (value: number) =>
    Math.round(y + height - ((Math.log10(value) - low) / (high - low)) * height)
  const sides = Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index))
  return [
    label(x, y - 12, title, 'head'),
    ...sides.map(
      (value) =>
        `<path class="axis" d="M${x} ${up(value)}h${width}"/>${label(x - 6, up(value) + 4, unit(value), 'quiet end')}`,
    ),
    ...steps.map((step) =>
      label(across(step), y + height + 18, step.toLocaleString('en'), 'quiet middle'),
    ),
    ...all.flatMap(({ points, look }) => [
      `<path class="line ${look}" d="M${points.map(([step, value]) => `${across(step)} ${up(value)}`).join('L')}"/>`,
    ]),
  ]
}

/** Shows the meaning of the lines, in a row. */
export const legend = (x: number, y: number, all: readonly Pick<Line, 'name' | 'look'>[]) =>
  all.map(({ name, look }, index) => {
    const left = x + index * 190
    return `<path class="line ${look}" d="M${left} ${y - 4}h26"/>${label(left + 32, y, name, 'quiet')}`
  })
