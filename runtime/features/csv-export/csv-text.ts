/** Text that a program for tables takes for a formula: it begins with one of these, some of full width, after blanks or none. */
const formula = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r]/

const number = /^-?\d+(?:\.\d+)?$/

/**
 * A line of RFC 4180, with its end. A text that a program for tables would calculate begins with
 * an apostrophe, so that it is shown, and not run. (Libraries do the same to `-5.00`, which is a
 * number of ours: decimals are text.)
 */
export const lineOf = (values: readonly unknown[]): string => `${values.map(cellOf).join(',')}\r\n`

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  const isFormula = typeof value === 'string' && formula.test(text) && !number.test(text)
  const shown = isFormula ? `'${text}` : text
  return /[",\r\n]|^\s|\s$/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown
}
