import type { ColumnFacts, Told } from '../kind.js'
import { like } from '../kind.js'
import { valueOf } from '../literal.js'
import { usualRule } from '../rule.js'
import { bounds, texts } from '../schema.js'
import { all } from '../sql.js'
import { asText, text, textPreset } from './text.js'

// As zod reads one; the format alone is another in each tool.
const pattern =
  "^(?!\\.)(?!.*\\.\\.)([A-Za-z0-9_'+\\-\\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\\-]*\\.)+[A-Za-z]{2,}$"
const isEmail = new RegExp(pattern)

/** As its rule in `runtime/input/rules.ts` has it. */
const longest = 254

/** Laxer than requests are: rows keep an address that somebody may have. */
const told: Told = {
  drops: '',
  lengths: ({ min = 0, max = longest }) => [Math.max(min, 5), Math.min(max, longest)],
  pattern: '^[^@ \\t\\n\\r]+@[^@ \\t\\n\\r]+\\.[^@ \\t\\n\\r]+$',
  sqlite: (text) =>
    all(
      `${text} GLOB '?*@?*.?*'`,
      `${text} NOT GLOB '*@*@*'`,
      ...[' ', '\t', '\n', '\r'].map((blank) => `instr(${text}, char(${blank.charCodeAt(0)})) = 0`),
    ),
  samples: {
    values: ['ada@x.org', 'Ö@example.com', 'a@b.co', 'c@d.eu'],
    others: ['a b@x.org', '@x.org', 'a@b@c.d', 'a@b', 'a@b.'],
  },
}

function edges({ min = 0, max = longest }: ColumnFacts): readonly string[] {
  const known = ['a@example.com', "o'b+c@example.com"].filter(
    ({ length }) => min <= length && length <= max,
  )
  const end = '@example.com'
  const name = Math.min(max, longest) - end.length
  return [...known.map(valueOf), ...(name > 0 ? [`\`\${'x'.repeat(${name})}${end}\``] : [])]
}

function sent(column: ColumnFacts) {
  const lengths = bounds('minLength', column.min, 'maxLength', column.max)
  const maxLength = Math.min(column.max ?? longest, longest)
  return { ...texts(column), format: 'email', pattern, ...lengths, maxLength }
}

export const email = like(text, {
  name: 'email',
  group: 'told',
  told,
  usualMax: null,
  rule: usualRule('email'),
  preset: {
    says: 'an e-mail address',
    example: ".default('nobody@example.com')",
    read: (written) => {
      const read = asText(textPreset.read(written))
      return read !== undefined && isEmail.test(read) ? read : undefined
    },
  },
  document: { ...text.document, sent },
  sample: () => 'somebody@example.com',
  varied: () => "`${unique('somebody')}@example.com`",
  edges: { usual: null, of: edges },
  seed: ({ name }) => `'ada.${name}@example.com'`,
})
