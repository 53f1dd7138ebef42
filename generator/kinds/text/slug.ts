import { all } from '../sql.js'
import { formed } from './formed.js'

export const slug = formed({
  name: 'slug',
  says: 'lower-case letters and digits, with single dashes between them',
  lengths: [1, 255],
  filler: 'x',
  pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
  sqlite: (text) =>
    all(
      `${text} GLOB '[a-z0-9]*'`,
      `${text} GLOB '*[a-z0-9]'`,
      `${text} NOT GLOB '*[^a-z0-9-]*'`,
      `${text} NOT GLOB '*--*'`,
    ),
  samples: {
    values: ['first-post', '0', 'a-1-b-2', 'z9'],
    others: [
      '',
      '-',
      'First-Post',
      'first--post',
      '-first',
      'first-',
      'first_post',
      'fírst',
      'a b',
    ],
  },
  varied: ({ min = 0, max = Infinity }) =>
    `randomUUID().slice(-${Math.min(max, 12)})${min > 12 ? `.padEnd(${min}, 'x')` : ''}`,
})
