import { uuidPattern } from '../../../../runtime/kinds/uuid.js'
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

const matches = (text: string, pattern: string) => `${text} ~ ${sqlText(pattern)}`

/** `12`, `-0.50`; no `007`, which is a name, and no exponent. */
const number = '^-?(0|[1-9][0-9]*)(\\.[0-9]+)?$'
const whole = '^-?(0|[1-9][0-9]{0,9})(\\.0+)?$'

const bigWhole = '^-?(0|[1-9][0-9]{0,18})(\\.0+)?$'
const [smallest, largest] = ['-9223372036854775808', '9223372036854775807']

/** PostgreSQL looks at a number only when the text is one. */
const when = (condition: string, then: string) =>
  `CASE WHEN ${condition} THEN ${then} ELSE false END`

const isWhole = (text: string, low: number, high: number) =>
  when(matches(text, whole), `${text}::numeric BETWEEN ${low} AND ${high}`)

/** Digits that a number has, without zeros at either end. */
const digits = (text: string) =>
  `length(ltrim(translate(regexp_replace(${text}, '(\\.[0-9]*[1-9])0+$|\\.0+$', '\\1'), '-.', ''), '0'))`

/** Without an exponent; NULL where 15 digits do not tell it. */
const floatWord = (v: string) =>
  `CASE WHEN abs(${v}) < 1e15 THEN CASE WHEN round(${v}::numeric, 15)::float8 = ${v} THEN trim_scale(round(${v}::numeric, 15))::text END END`

const isDay = (text: string) => {
  const part = (from: number, length: number) => `substr(${text}, ${from}, ${length})::int`
  const day = `make_date(${part(1, 4)}, ${part(6, 2)}, 1) + (${part(9, 2)} - 1)`
  const looks = matches(text, '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$')
  return when(`${looks} AND ${text} !~ '^0000'`, `to_char(${day}, 'YYYY-MM-DD') = ${text}`)
}

const offset = '[+-](0[0-9]|1[0-4]):[0-5][0-9]'
const time = `^([T ]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\\.[0-9]{1,3})?)?(Z|${offset})?)?$`

/** ISO 8601; without a zone it is UTC, without a time it is midnight. */
const isInstant = (text: string) =>
  all(
    isDay(`left(${text}, 10)`),
    matches(`substr(${text}, 11)`, time),
    `(substr(${text}, 11) !~ '[+-]' OR ${text} BETWEEN '0001-01-02' AND '9999-12-31')`,
  )

const text: Stored = {
  text: unchanged,
  json: unchanged,
  fits: (t, form) => all('true', ...between(`length(${t})`, form)),
  value: unchanged,
}

/** Written by svc beside the text: PostgreSQL before 16 cannot ask whether a text is JSON. */
const isJson = (t: string) => `pg_temp.svc_is_json(${t})`

/** A list of some of the options, each once: as many as there are options in it. */
const isChoice = (v: string, { options = [], ...bounds }: Form) => {
  const found = options.map((option) => `jsonb_exists(${v}, ${sqlText(option)})::int`).join(' + ')
  return when(
    `jsonb_typeof(${v}) = 'array'`,
    all(
      ...between(`jsonb_array_length(${v})`, bounds),
      `jsonb_array_length(${v}) = ${found || '0'}`,
    ),
  )
}

const fromBoolean: Pair = {
  fits: (v, _, to) => forms[numberGroup(to)].fits(`${v}::int::text`, to),
  value: (v, _, to) => forms[numberGroup(to)].value(`${v}::int::text`, to),
}
const toBoolean: Pair = { fits: (v) => `${v} IN (0, 1)`, value: (v) => `(${v} = 1)` }

const numeric = ({ precision = 10, scale = 2 }: Form) => `numeric(${precision}, ${scale})`

const decimal: Stored = {
  text: (v) => `${v}::text`,
  fits: (t, { precision = 10, scale = 2, ...bounds }) => {
    const before = precision > scale ? `(0|[1-9][0-9]{0,${precision - scale - 1}})` : '0'
    return when(
      matches(t, `^-?${before}(\\.(?=[0-9])[0-9]{0,${scale}}0*)?$`),
      all('true', ...between(`${t}::numeric`, bounds)),
    )
  },
  value: (t, form) => `${t}::${numeric(form)}`,
  cut: (t, form) => {
    const { precision = 10, scale = 2 } = form
    const cut = `trunc(${t}::numeric, ${scale})`
    const isHeld = `abs(trunc(${t}::numeric)) < 1e${precision - scale}::numeric`
    return `CASE WHEN ${matches(t, number)} THEN CASE WHEN ${all(isHeld, ...between(cut, form))} THEN ${cut} END END`
  },
}

/** Without any of these characters. */
const without = (text: string, characters: string) =>
  `translate(${text}, ${sqlText(characters)}, '')`

const forms: StoredForms['forms'] = {
  text,
  told: toldIn(({ pattern }, text) => matches(text, pattern), without),
  select: {
    text: unchanged,
    fits: (t, { options = [] }) => `${t} IN (${sqlList(options)})`,
    value: unchanged,
  },
  // Nobody reads a hash, and only a hash is a password; `!` is none, so nobody signs in with it.
  password: {
    text: () => 'NULL',
    fits: (t) => `(${t} LIKE '$argon2id$%' OR ${t} = '!')`,
    value: unchanged,
  },
  uuid: {
    text: (v) => `${v}::text`,
    fits: (t) => `${t} ~* ${sqlText(uuidPattern('[0-9a-f]'))}`,
    value: (t) => `${t}::uuid`,
  },
  integer: {
    text: (v) => `${v}::text`,
    json: (v) => `${v}::text`,
    fits: (t, { min = -2147483648, max = 2147483647 }) => isWhole(t, min, max),
    value: (t) => `${t}::numeric::integer`,
    cut: (t, { min = -2147483648, max = 2147483647 }) =>
      `CASE WHEN ${matches(t, number)} THEN CASE WHEN trunc(${t}::numeric) BETWEEN ${min} AND ${max} THEN trunc(${t}::numeric)::integer END END`,
  },
  bigInteger: {
    text: (v) => `${v}::text`,
    fits: (t, { min = smallest, max = largest }) =>
      when(matches(t, bigWhole), `${t}::numeric BETWEEN ${min} AND ${max}`),
    value: (t) => `${t}::numeric::bigint`,
    cut: (t, { min = smallest, max = largest }) =>
      `CASE WHEN ${matches(t, number)} THEN CASE WHEN trunc(${t}::numeric) BETWEEN ${min} AND ${max} THEN trunc(${t}::numeric)::bigint END END`,
  },
  float: {
    text: (v) => `(${v} + 0)::text`,
    word: floatWord,
    json: (v) => `(${v} + 0)::text`,
    fits: (t, form) =>
      when(matches(t, number), all(`${digits(t)} <= 15`, ...between(`${t}::numeric`, form))),
    value: (t) => `${t}::float8`,
  },
  decimal,
  boolean: {
    text: (v) => `${v}::text`,
    json: (v) => `${v}::text`,
    fits: (t) => `${t} IN ('true', 'false')`,
    value: (t) => `(${t} = 'true')`,
  },
  date: {
    text: (v) => `to_char(${v}, 'YYYY-MM-DD')`,
    fits: isDay,
    value: (t) => `${t}::date`,
  },
  dateTime: {
    text: (v) => `to_char(${v} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
    fits: isInstant,
    value: (t) =>
      `(${t} || CASE WHEN length(${t}) = 10 THEN ' 00:00Z' WHEN ${t} ~ 'Z$|[+-][0-9]{2}:[0-9]{2}$' THEN '' ELSE 'Z' END)::timestamptz(3)`,
  },
  json: {
    text: (v) => `${v}::text`,
    word: (v) =>
      `CASE WHEN jsonb_typeof(${v}) NOT IN ('object', 'array', 'null') THEN ${v} #>> '{}' END`,
    json: (v) => `${v}::text`,
    fits: (t) => when(isJson(t), `jsonb_typeof(${t}::jsonb) <> 'null'`),
    value: (t) => `${t}::jsonb`,
  },
  multiSelect: {
    text: (v) => `${v}::text`,
    word: (v) => `CASE WHEN jsonb_array_length(${v}) = 1 THEN ${v} ->> 0 END`,
    json: (v) => `${v}::text`,
    fits: (t, { options = [], min = 0, max = 1 }) =>
      all(`${t} IN (${sqlList(options)})`, ...(min > 1 || max < 1 ? ['false'] : [])),
    value: (t) => `jsonb_build_array(${t})`,
  },
}

const choicesOfJson: Pair = { fits: (v, _, to) => isChoice(v, to), value: unchanged }

const pairs: StoredForms['pairs'] = {
  'date → dateTime': { value: (v) => `${v}::timestamp AT TIME ZONE 'UTC'` },
  'dateTime → date': {
    fits: (v) => `${v} AT TIME ZONE 'UTC' = date_trunc('day', ${v} AT TIME ZONE 'UTC')`,
    value: (v) => `(${v} AT TIME ZONE 'UTC')::date`,
    cut: (v) => `(${v} AT TIME ZONE 'UTC')::date`,
  },
  'text → text': {
    fits: (v, _, to) => text.fits(v, to),
    value: unchanged,
    cut: (v, _, { min, max }) =>
      min === undefined && max !== undefined ? `left(${v}, ${max})` : 'NULL',
  },
  ...numberPairs(fromBoolean, toBoolean),
  // Before rows are filled with what has more bits.
  'integer → bigInteger': {
    fits: (v, _, to) => all('true', ...between(v, to)),
    value: (v) => `${v}::bigint`,
  },
  'text → multiSelect': {
    fits: (v, _, to) =>
      `(${v} IN (${sqlList(to.options ?? [])}) OR ${when(isJson(v), isChoice(`${v}::jsonb`, to))})`,
    value: (v, _, { options = [] }) =>
      `CASE WHEN ${v} IN (${sqlList(options)}) THEN jsonb_build_array(${v}) ELSE ${v}::jsonb END`,
  },
  'json → multiSelect': choicesOfJson,
  'multiSelect → multiSelect': choicesOfJson,
}

export const postgres: StoredForms = {
  forms,
  pairs,
  // A column's type is changed without sub-selects.
  named: (text, expression) => expression(text.startsWith('"') ? text : `(${text})`),
  asJson: (text) => `to_jsonb(${text})::text`,
  prelude: `CREATE OR REPLACE FUNCTION pg_temp.svc_is_json(value text) RETURNS boolean LANGUAGE plpgsql AS $svc$
BEGIN PERFORM value::jsonb; RETURN true; EXCEPTION WHEN others THEN RETURN false; END $svc$;`,
}
