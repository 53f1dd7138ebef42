/** A request in words for elsewhere. The one place that knows how: each answers a text. */
const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`

export function curl({ method, url, body, hasToken, token }) {
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(url)}`,
    `-H 'Accept: application/json'`,
  ]
  if (hasToken)
    lines.push(
      token === null ? '-H "Authorization: Bearer $TOKEN"' : `-H 'Authorization: Bearer ${token}'`,
    )
  if (body !== undefined) lines.push(`-H 'Content-Type: application/json'`, `-d ${quoted(body)}`)
  return lines.join(' \\\n  ')
}

export function clientCode({ method, url, body, hasToken, token }) {
  const headers = [`    Accept: 'application/json',`]
  if (hasToken)
    headers.push(
      token === null
        ? '    Authorization: `Bearer ${token}`,'
        : `    Authorization: ${text(`Bearer ${token}`)},`,
    )
  if (body !== undefined) headers.push(`    'Content-Type': 'application/json',`)
  const lines = [
    `const response = await fetch(${text(url)}, {`,
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    '  headers: {',
    ...headers,
    '  },',
    ...(body === undefined ? [] : [`  body: JSON.stringify(${indented(body)}),`]),
    '})',
    'if (!response.ok) throw new Error((await response.json()).message)',
    'const { data } = await response.json()',
  ]
  return lines.join('\n')
}

const text = (value) => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

const indented = (body) => {
  try {
    return JSON.stringify(JSON.parse(body), null, 2).replaceAll('\n', '\n  ')
  } catch {
    return body
  }
}
