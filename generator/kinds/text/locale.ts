import { formed } from './formed.js'

const letter = '[a-z]'
const capital = '[A-Z]'
const digit = '[0-9]'

/** Patterns of the parts of a tag, for SQLite's GLOB. */
const languages = [letter.repeat(2), letter.repeat(3)]
const scripts = ['', `-${capital}${letter.repeat(3)}`]
const regions = ['', `-${capital.repeat(2)}`, `-${digit.repeat(3)}`]

const tags = languages.flatMap((language) =>
  scripts.flatMap((script) => regions.map((region) => language + script + region)),
)

export const locale = formed({
  name: 'locale',
  says: 'a language tag such as it, pt-BR or zh-Hant-TW',
  lengths: [2, 11],
  filler: null,
  pattern: '^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$',
  sqlite: (text) => `(${tags.map((tag) => `${text} GLOB '${tag}'`).join(' OR ')})`,
  samples: {
    values: ['pt-BR', 'it', 'fil', 'es-419', 'zh-Hant-TW', 'sr-Latn', 'yue-Hant-HK', 'uz-Cyrl-860'],
    others: [
      '',
      'e',
      'EN',
      'english',
      'pt_BR',
      'pt-br',
      'PT-BR',
      'pt-',
      'pt-BRA',
      'es-41',
      'zh-hant',
      'zh-TW-Hant',
      'zh-Hant-',
      'pt-BR-BR',
      'de-1996',
      'ít',
    ],
  },
  varied: () =>
    "randomUUID().slice(-6).replaceAll(/\\d/g, (digit) => 'ghijklmnop'.charAt(Number(digit))).replace(/^.../, '$&-X')",
})
