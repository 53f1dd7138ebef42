import { isShort } from '../index-length.js'
import type { ColumnFacts, Told } from '../kind.js'
import { like } from '../kind.js'
import { literal, valueOf } from '../literal.js'
import { replacing } from '../rule.js'
import { bounds, texts } from '../schema.js'
import { all } from '../sql.js'
import { asText, text, textPreset } from './text.js'

/** Characters of a URL that says no `.max()`, as its rule in `runtime/input/url-rule.ts` has it. */
const longestUrl = 2048

// As the rule reads one before the platform's parser does: the format alone is another in each tool.
const visible = '[^\\s\\u0000-\\u001f\\u007f-\\u009f]'
const host = `${visible.slice(0, -1)}/?#@\\\\]`
const pattern = `^[Hh][Tt][Tt][Pp][Ss]?://${host}+([/?#]${visible}*)?$`
const isPlain = new RegExp(pattern, 'u')

/** SQL checks how the value begins; the platform's parser checks the values of requests. */
const told: Told = {
  drops: '',
  lengths: ({ min = 0, max = longestUrl }) => [Math.max(min, 8), max],
  pattern:
    '^[Hh][Tt][Tt][Pp][Ss]?://[^\\u0001-\\u0020\\u007f/?#@\\\\]+([/?#][^\\u0001-\\u0020\\u007f]*)?$',
  sqlite: (text) => {
    const path = `substr(${text}, instr(${text}, '://') + 3)`
    const name = `substr(${path}, 1, instr(replace(replace(${path}, '?', '/'), '#', '/') || '/', '/') - 1)`
    return all(
      `(lower(${text}) GLOB 'http://*' OR lower(${text}) GLOB 'https://*')`,
      `${text} NOT GLOB '*[' || char(1) || '- ' || char(127) || ']*'`,
      `${name} GLOB '?*'`,
      `${name} NOT GLOB '*[@\\]*'`,
    )
  },
  samples: {
    values: [
      'https://example.com/é?a=1#b',
      'http://x',
      'https://example.com',
      'http://b',
      'HTTP://a?b@c',
    ],
    others: [
      'https://é/ ',
      'https://x@y.z',
      'https://x\\@y',
      'https://',
      'https:x.org',
      'ftp://x.org',
      'javascript:alert(1)',
      'https://x/\u0001',
    ],
  },
}

const shown = (column: ColumnFacts) => ({ ...texts(column), format: 'uri' })

/** A URL that is as long as it must be. Each beginning of it with a letter of the host is one, too. */
const fitted = (url: string, { min = 0, max = longestUrl }: ColumnFacts) =>
  url.padEnd(min, 'x').slice(0, max)

const sample = (column: ColumnFacts) => fitted(`https://example.com/${column.name}`, column)

/** In no order of letters, with signs or without, do they sort otherwise. */
function edges({ min = 0, max = longestUrl }: ColumnFacts): readonly string[] {
  const known = ['http://a.example:8080', "https://example.com/?q=it's%20%E2%9C%93#à"].filter(
    ({ length }) => min <= length && length <= max,
  )
  const start = 'https://example.com/'
  const rest = max - start.length
  return [...known.map(valueOf), ...(rest > 0 ? [`\`${start}\${'x'.repeat(${rest})}\``] : [])]
}

export const url = like(text, {
  name: 'url',
  group: 'told',
  told,
  usualMax: null,
  isIndexable: isShort,
  preset: {
    says: 'an http or https URL',
    example: ".default('https://example.com')",
    read: (written) => {
      const read = asText(textPreset.read(written))
      return read !== undefined && isPlain.test(read) && URL.canParse(read) ? read : undefined
    },
  },
  rule: { name: 'url', file: 'url-rule', given: replacing },
  document: {
    ...text.document,
    shown,
    sent: (column) => ({
      ...shown(column),
      pattern,
      ...bounds('minLength', column.min, 'maxLength', column.max ?? longestUrl),
    }),
  },
  sample,
  varied: ({ min = 0 }) => `\`https://example.com/\${unique('')}\`.padEnd(${min}, 'x')`,
  edges: { usual: null, of: edges },
  seed: (column) => literal(sample(column)),
})
