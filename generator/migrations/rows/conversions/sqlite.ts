import { uuidParts } from '../../../../runtime/kinds/uuid.js'
import { all, sqlText } from '../../../kinds/sql.js'
import type { Form } from './form.js'
import {
  between,
  unchanged,
  numberGroup,
  numberPairs,
  sqlList,
  toldIn,
  type Pair,
  type Stored,
  type StoredForms,
} from './stored.js'

const digit = '[0-9]'
const midnight = 'T00:00:00.000+00:00'

/** `12`, `-0.50`; no `007`, which is a name, and no exponent. */
const isNumber = (text: string) => {
  const n = `ltrim(${text}, '-')`
  return all(
    `${n} GLOB '[0-9]*'`,
    `${n} GLOB '*[0-9]'`,
    `${n} NOT GLOB '*[^0-9.]*'`,
    `${n} NOT GLOB '*.*.*'`,
    `${n} NOT GLOB '0[0-9]*'`,
    `${text} NOT GLOB '--*'`,
  )
}
const whole = (text: string) =>
  `substr(ltrim(${text}, '-'), 1, instr(${text} || '.', '.') - 1 - (${text} GLOB '-*'))`
/** Without zeros at its end. */
const fraction = (text: string) => `rtrim(substr(${text}, instr(${text} || '.', '.') + 1), '0')`
const digits = (text: string) => `length(ltrim(${whole(text)} || ${fraction(text)}, '0'))`

const isWhole = (text: string, low: number, high: number) =>
  all(
    isNumber(text),
    `${fraction(text)} = ''`,
    `length(${whole(text)}) <= 10`,
    `CAST(${text} AS INTEGER) BETWEEN ${low} AND ${high}`,
  )

/** A cast ends at the largest number of 64 bits: what is larger is another text then. */
const isBigWhole = (text: string, bounds: Form) =>
  all(
    isNumber(text),
    `${fraction(text)} = ''`,
    isHeldBig(text),
    ...between(`CAST(${text} AS INTEGER)`, bounds),
  )
const isHeldBig = (text: string) =>
  `ltrim(CAST(CAST(${text} AS INTEGER) AS TEXT), '-') = ${whole(text)}`

/** The shortest text that is read back as the same number. */
const floatText = (v: string) => `CASE
  WHEN abs(${v}) < 1e15 AND ${v} = CAST(${v} AS INTEGER) THEN CAST(CAST(${v} AS INTEGER) AS TEXT)
  WHEN CAST(printf('%!.15g', ${v}) AS REAL) = ${v} THEN replace(printf('%!.15g', ${v}), '.0e', 'e')
  WHEN CAST(printf('%!.16g', ${v}) AS REAL) = ${v} THEN printf('%!.16g', ${v})
  ELSE printf('%!.17g', ${v}) END`

/** Without an exponent; NULL where 15 digits do not tell it. */
function floatWord(v: string): string {
  const places = `15 - CASE WHEN abs(${v}) < 1 THEN 0 ELSE length(CAST(CAST(abs(${v}) AS INTEGER) AS TEXT)) END`
  const plain = `printf('%.*f', ${places}, ${v} + 0.0)`
  return `CASE WHEN abs(${v}) < 1e15 AND CAST(${plain} AS REAL) = ${v} THEN ${withoutZeros(plain)} END`
}

/** `12.500` is `12.5`, `12.000` is `12`, `-0` is `0`. */
const withoutZeros = (text: string) =>
  `CASE WHEN CAST(${text} AS REAL) = 0 THEN '0' WHEN ${text} GLOB '*.*' THEN rtrim(rtrim(${text}, '0'), '.') ELSE ${text} END`

/** Other tools write milliseconds, a blank, or no zone. */
const instant = (v: string) => `CASE
  WHEN typeof(${v}) <> 'text' THEN strftime('%Y-%m-%dT%H:%M:%f', ${v} / 1000.0, 'unixepoch') || '+00:00'
  WHEN length(${v}) = 29 AND ${v} GLOB '*+00:00' THEN ${v}
  ELSE strftime('%Y-%m-%dT%H:%M:%f', ${v}) || '+00:00' END`

const isDay = (text: string) =>
  all(
    `${text} GLOB '${digit.repeat(4)}-${digit.repeat(2)}-${digit.repeat(2)}'`,
    `${text} NOT GLOB '0000*'`,
    `date(${text}) = ${text}`,
  )

/** ISO 8601; without a zone it is UTC, without a time it is midnight. */
function isInstant(text: string): string {
  const time = `CASE WHEN ${text} GLOB '*Z' THEN substr(${text}, 11, length(${text}) - 11)
    WHEN substr(${text}, 11) GLOB '*[+-][01][0-9]:[0-5][0-9]' THEN substr(${text}, 11, length(${text}) - 16)
    ELSE substr(${text}, 11) END`
  const minutes = '[T ][0-2][0-9]:[0-5][0-9]'
  const seconds = `${minutes}:[0-5][0-9]`
  const times = [
    minutes,
    seconds,
    ...[1, 2, 3].map((places) => `${seconds}.${digit.repeat(places)}`),
  ]
  const isTime = times.map((each) => `(${time}) GLOB '${each}'`).join(' OR ')
  const isZoned = `substr(${text}, 11) GLOB '*[+-]*'`
  return all(
    isDay(`substr(${text}, 1, 10)`),
    `(length(${text}) = 10 OR ((${isTime}) AND substr(${text}, 12, 2) < '24'))`,
    `(NOT ${isZoned} OR ${text} BETWEEN '0001-01-02' AND '9999-12-31')`,
    `strftime('%s', ${text}) IS NOT NULL`,
  )
}

const uuidGlob = uuidParts.map((length) => '[0-9A-Fa-f]'.repeat(length)).join('-')

const text: Stored = {
  text: unchanged,
  json: unchanged,
  fits: (t, form) => all('1', ...between(`length(${t})`, form)),
  value: unchanged,
}

/** A number of JSON is stored as a number: the column has numeric affinity. */
const jsonText = (v: string) =>
  `CASE WHEN typeof(${v}) = 'real' THEN ${floatText(v)} ELSE CAST(${v} AS TEXT) END`

/** A list of some of the options, each once. */
const isChoice = (v: string, { options = [], ...bounds }: Form) =>
  `CASE WHEN json_valid(${v}) THEN ${all(
    `json_type(${v}) = 'array'`,
    ...between(`json_array_length(${v})`, bounds),
    `json_array_length(${v}) = (SELECT count(DISTINCT value) FROM json_each(${v})
      WHERE type = 'text' AND value IN (${sqlList(options)}))`,
  )} ELSE 0 END`

/** A text, which may be one of the options itself. */
const listOf = (t: string, { options = [] }: Form) =>
  `CASE WHEN ${t} IN (${sqlList(options)}) THEN json_array(${t}) ELSE json(${t}) END`

const fromBoolean: Pair = {
  fits: (v, _, to) => forms[numberGroup(to)].fits(`CAST(${v} AS TEXT)`, to),
  value: (v, _, to) => forms[numberGroup(to)].value(`CAST(${v} AS TEXT)`, to),
}
const toBoolean: Pair = {
  fits: (v, from) => {
    const t = wordOf(v, from)
    return `coalesce(${isWhole(t, 0, 1)}, 0)`
  },
  value: (v, from) => `CAST(${wordOf(v, from)} AS INTEGER)`,
}

const wordOf = (v: string, from: Form) => {
  const stored = forms[numberGroup(from)]
  return (stored.word ?? stored.text)(v, from)
}

/** A number of at most 15 digits (`sqlite-decimals.ts`); before that, it was a text. */
const decimal: Stored = {
  text: (v, { type, scale = 2 }) => (type === 'Decimal' ? `printf('%.${scale}f', ${v} + 0.0)` : v),
  fits: (t, { precision = 10, scale = 2, ...bounds }) =>
    all(
      isNumber(t),
      `(${whole(t)} = '0' OR length(${whole(t)}) <= ${precision - scale})`,
      `length(${fraction(t)}) <= ${scale}`,
      ...between(`CAST(${t} AS REAL)`, bounds),
    ),
  value: (t, { scale = 2 }) => {
    if (scale === 0) return `CAST(${t} AS INTEGER)`
    const sign = `CASE WHEN ${t} GLOB '-*' THEN '-' ELSE '' END`
    const behind = `substr(${fraction(t)} || '${'0'.repeat(scale)}', 1, ${scale})`
    return `CAST(${sign} || ${whole(t)} || ${behind} AS INTEGER) / 1${'0'.repeat(scale)}.0`
  },
  cut: (t, form) => {
    const { precision = 10, scale = 2 } = form
    const isHeld = `(${whole(t)} = '0' OR length(${whole(t)}) <= ${precision - scale})`
    const cut = decimal.value(t, form)
    return `CASE WHEN ${all(isNumber(t), isHeld, ...between(cut, form))} THEN ${cut} END`
  },
}

/** Without any of these characters. */
const without = (text: string, characters: string) =>
  Array.from(characters).reduce((found, each) => `replace(${found}, ${sqlText(each)}, '')`, text)

const forms: StoredForms['forms'] = {
  text,
  told: toldIn(({ sqlite: isOne }, text) => isOne(text), without),
  select: {
    text: unchanged,
    fits: (t, { options = [] }) => `${t} IN (${sqlList(options)})`,
    value: unchanged,
  },
  // Nobody reads a hash, and only a hash is a password; `!` is none, so nobody signs in with it.
  password: {
    text: () => 'NULL',
    fits: (t) => `(${t} GLOB '$argon2id$*' OR ${t} = '!')`,
    value: unchanged,
  },
  uuid: {
    text: unchanged,
    fits: (t) => `${t} GLOB '${uuidGlob}'`,
    value: (t) => `lower(${t})`,
  },
  integer: {
    text: (v) => `CAST(${v} AS TEXT)`,
    json: (v) => `CAST(${v} AS TEXT)`,
    fits: (t, { min = -2147483648, max = 2147483647 }) => isWhole(t, min, max),
    value: (t) => `CAST(${t} AS INTEGER)`,
    cut: (t, { min = -2147483648, max = 2147483647 }) =>
      `CASE WHEN ${isNumber(t)} AND length(${whole(t)}) <= 10 AND CAST(${t} AS INTEGER) BETWEEN ${min} AND ${max} THEN CAST(${t} AS INTEGER) END`,
  },
  bigInteger: {
    text: (v) => `CAST(${v} AS TEXT)`,
    fits: isBigWhole,
    value: (t) => `CAST(${t} AS INTEGER)`,
    cut: (t, bounds) => {
      const cut = `CAST(${t} AS INTEGER)`
      return `CASE WHEN ${all(isNumber(t), isHeldBig(t), ...between(cut, bounds))} THEN ${cut} END`
    },
  },
  float: {
    text: floatText,
    word: floatWord,
    json: floatText,
    fits: (t, form) =>
      all(isNumber(t), `${digits(t)} <= 15`, ...between(`CAST(${t} AS REAL)`, form)),
    value: (t) => `CAST(${t} AS REAL)`,
  },
  decimal,
  boolean: {
    text: (v) => `CASE ${v} WHEN 0 THEN 'false' ELSE 'true' END`,
    json: (v) => `CASE ${v} WHEN 0 THEN 'false' ELSE 'true' END`,
    fits: (t) => `${t} IN ('true', 'false')`,
    value: (t) => `(${t} = 'true')`,
  },
  date: {
    text: (v) => `substr(${instant(v)}, 1, 10)`,
    fits: isDay,
    value: (t) => `${t} || '${midnight}'`,
  },
  dateTime: {
    text: (v) => `substr(${instant(v)}, 1, 23) || 'Z'`,
    fits: isInstant,
    value: (t) => `strftime('%Y-%m-%dT%H:%M:%f', ${t}) || '+00:00'`,
  },
  json: {
    text: jsonText,
    word: (v) => `CASE WHEN json_type(${v}) = 'text' THEN json_extract(${v}, '$')
      WHEN json_type(${v}) NOT IN ('object', 'array', 'null') THEN ${jsonText(v)} END`,
    json: jsonText,
    fits: (t) => `CASE WHEN json_valid(${t}) THEN json_type(${t}) <> 'null' ELSE 0 END`,
    value: (t) => `json(${t})`,
  },
  multiSelect: {
    text: unchanged,
    word: (v) => `CASE WHEN json_array_length(${v}) = 1 THEN json_extract(${v}, '$[0]') END`,
    json: unchanged,
    fits: (t, { options = [], min = 0, max = 1 }) =>
      all(`${t} IN (${sqlList(options)})`, ...(min > 1 || max < 1 ? ['0'] : [])),
    value: (t) => `json_array(${t})`,
  },
}

const choicesOfText: Pair = {
  fits: (v, _, to) => `(${v} IN (${sqlList(to.options ?? [])}) OR ${isChoice(v, to)})`,
  value: (v, _, to) => listOf(v, to),
}
const choicesOfJson: Pair = { fits: (v, _, to) => isChoice(v, to), value: unchanged }

const pairs: StoredForms['pairs'] = {
  'date → dateTime': { value: unchanged },
  'dateTime → date': {
    fits: (v) => `(${instant(v)}) GLOB '*${midnight}'`,
    value: unchanged,
    cut: (v) => `substr(${instant(v)}, 1, 10) || '${midnight}'`,
  },
  'text → text': {
    fits: (v, _, to) => text.fits(v, to),
    value: unchanged,
    cut: (v, _, { min, max }) =>
      min === undefined && max !== undefined ? `substr(${v}, 1, ${max})` : 'NULL',
  },
  ...numberPairs(fromBoolean, toBoolean),
  'integer → bigInteger': { fits: (v, _, to) => all('1', ...between(v, to)), value: unchanged },
  'text → multiSelect': choicesOfText,
  'json → multiSelect': choicesOfJson,
  'multiSelect → multiSelect': {
    ...choicesOfJson,
    cut: (v, _, { options = [], min, max }) =>
      min === undefined && max === undefined
        ? `(SELECT json_group_array(value) FROM json_each(${v}) WHERE value IN (${sqlList(options)}))`
        : 'NULL',
  },
}

export const sqlite: StoredForms = {
  forms,
  pairs,
  named: (text, expression) =>
    /^"[^"]+"$/.test(text)
      ? expression(text)
      : `(SELECT ${expression('svc_text')} FROM (SELECT ${text} AS svc_text))`,
  asJson: (text) => `json_quote(${text})`,
  prelude: '',
}
