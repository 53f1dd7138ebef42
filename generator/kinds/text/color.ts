import { formed } from './formed.js'

export const color = formed({
  name: 'color',
  says: 'a color such as #1e90ff, in lower case',
  lengths: [7, 7],
  filler: null,
  pattern: '^#[0-9a-f]{6}$',
  sqlite: (text) => `${text} GLOB '#${'[0-9a-f]'.repeat(6)}'`,
  samples: {
    values: ['#1e90ff', '#000000', '#a0b1c2', '#ffffff'],
    others: [
      '',
      '#',
      '1e90ff',
      '#1E90FF',
      '#1e90f',
      '#1e90ff0',
      '#fff',
      '#1e90fg',
      'red',
      '##1e90f',
    ],
  },
  varied: () => '`#${randomUUID().slice(-6)}`',
})
