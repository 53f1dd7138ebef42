import { expect, test } from 'vitest'
import { readableLine } from '../../../runtime/http/readable-log.js'

const of = (line: object) =>
  readableLine(JSON.stringify({ level: 30, pid: 1, hostname: 'here', ...line }), false).replace(
    /^\d\d:\d\d:\d\d/,
    '<time>',
  )

test.each([
  [
    'an address is said once',
    { host: '127.0.0.1', port: 3000, msg: 'listening on http://127.0.0.1:3000' },
    '<time> listening on http://127.0.0.1:3000\n',
  ],
  [
    'a request is its method, path, status and time',
    { requestId: 'abcdefgh', method: 'GET', path: '/api/svc/posts', status: 200, ms: 3.1 },
    '<time> GET /api/svc/posts 200, 3.1 ms\n',
  ],
  [
    'what a line says besides stands behind its sentence',
    { rows: 3, rule: 'show', msg: 'a policy hides every row' },
    '<time> a policy hides every row rows=3 rule=show\n',
  ],
  [
    'a failure has the id that its answer has, and where it came from',
    {
      level: 50,
      requestId: 'abcdefgh',
      msg: 'request failed',
      err: { message: 'no', stack: 'Error: no\n    at here', cause: { message: 'because' } },
    },
    '<time> ERROR request failed requestId=abcdefgh\n  Error: no\n      at here\n  because\n',
  ],
  ['a warning is named', { level: 40, msg: 'take care' }, '<time> WARN take care\n'],
])('on a terminal, %s', (_name, line, text) => {
  expect(of({ time: 0, ...line })).toBe(text)
})

test('what is no line of the log is shown as it is', () => {
  expect(readableLine('plain\n', true)).toBe('plain\n')
})
