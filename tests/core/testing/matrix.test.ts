import { expect, test } from 'vitest'
import { cellOf, markdownOf } from '../../../runtime/testing/authorization/cells.js'
import { changesOf } from '../../../runtime/testing/authorization/changes.js'
import {
  allowed,
  hidden,
  outcomeOf,
  type Outcome,
  type Trial,
} from '../../../runtime/testing/authorization/outcome.js'

const no = (as: string): Outcome => ({ is: 'denied', as })
const wrong = (why: string): Outcome => ({ is: 'undecided', why })
const trials = (outcomes: Readonly<Record<string, Outcome>>): readonly Trial[] =>
  Object.entries(outcomes).map(([row, outcome]) => ({ row: row.split('/'), outcome }))

test.each([
  [{ own: allowed, other: allowed }, 'yes'],
  [{ own: no('404'), other: no('404') }, 'no (404)'],
  [{ own: allowed, other: no('404') }, 'own; else 404'],
  // A status that no policy says, where a cell was yes before.
  [{ own: wrong('422 name: …'), other: wrong('422 name: …') }, 'no (422)'],
  [{ own: allowed, other: wrong('500') }, 'own; else 500'],
  [{ own: allowed, draft: no('404'), post: no('403') }, 'own; 403: post; 404: draft'],
  [{ draft: no('404'), post: no('403') }, 'no (403: post; 404: draft)'],
  // Of pairs, a star where it makes no difference which one it is.
  [
    { 'own/a': allowed, 'own/b': allowed, 'other/a': no('403'), 'other/b': no('403') },
    'own/*; else 403',
  ],
  [
    { 'own/a': allowed, 'own/b': no('422 tags'), 'other/a': allowed, 'other/b': no('422 tags') },
    '*/a; else 422 tags',
  ],
  [
    { 'own/a': allowed, 'own/b': no('403'), 'other/a': no('403'), 'other/b': no('403') },
    'own/a; else 403',
  ],
  [{ 'own/a': allowed, 'other/a': no('403') }, 'own; else 403'],
] as const)('what came of %o is %s', (outcomes, cell) => {
  expect(cellOf(trials(outcomes), false)).toBe(cell)
})

test.each([
  [{ own: allowed, other: allowed }, 'all'],
  [{ own: hidden, other: hidden }, 'none'],
  [{ own: allowed, other: hidden }, 'own'],
  [{ own: no('401'), other: no('401') }, 'no (401)'],
] as const)('a list of which %o is %s', (outcomes, cell) => {
  expect(cellOf(trials(outcomes), true)).toBe(cell)
})

test('a status is a decision where a policy says it, and nothing else is one', () => {
  const answer = {
    message: 'Wrong.',
    errors: { post_id: ['Nothing there.'], title: ['Too long.'] },
  }
  expect([200, 201, 204, 409].map((status) => outcomeOf(status, {}, []))).toEqual([
    allowed,
    allowed,
    allowed,
    allowed,
  ])
  expect([401, 403, 404].map((status) => outcomeOf(status, {}, []))).toEqual(
    ['401', '403', '404'].map(no),
  )
  // A policy hides what these name.
  expect(outcomeOf(422, answer, ['title', 'post_id'])).toEqual(no('422 post_id, title'))
  expect(outcomeOf(422, answer, ['post_id'])).toEqual({
    is: 'undecided',
    why: '422 post_id: Nothing there.; title: Too long.',
  })
  expect(outcomeOf(400, { message: 'Unknown.' }, [])).toEqual({
    is: 'undecided',
    why: '400 Unknown.',
  })
})

test('a change is named by repository, route and role', () => {
  const matrix = (cell: string, ...more: readonly string[]) =>
    markdownOf(
      ['guest', 'a|b'],
      [
        {
          title: 'posts',
          lines: ['GET /posts', ...more].map((label) => ({
            label: `\`${label}\``,
            cells: ['no', cell],
          })),
        },
      ],
    )
  expect(changesOf(matrix('yes'), matrix('yes'))).toEqual([])
  expect(changesOf(matrix('yes', 'GET /old'), matrix('own', 'GET /new'))).toEqual([
    'posts: GET /posts for a\\|b was yes and is own',
    'posts: GET /new for guest is new: no',
    'posts: GET /new for a\\|b is new: own',
    'posts: GET /old for guest is gone',
    'posts: GET /old for a\\|b is gone',
  ])
})
