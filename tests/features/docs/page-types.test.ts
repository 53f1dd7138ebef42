import { expect, test } from 'vitest'
import { checkPage } from './check-page.js'

test('the JavaScript of the page agrees with what its names mean', () => {
  expect(checkPage()).toBe('')
})

const mistakes = [
  ['list.js', 'resource.title', 'resource.titel', "Property 'titel' does not exist"],
  [
    'trash.js',
    'send(operation.method, path, ',
    'send(operation.method) ?? send(operation.method, path, ',
    'Expected 2-4 arguments, but got 1',
  ],
  [
    'picker.js',
    "send('GET', `${resource.path}/",
    "send('GET', `${resource.paths}/",
    "'paths' does not exist",
  ],
  ['try.js', 'route.query, model.follow)', 'route.query, model.folow)', "'folow' does not exist"],
  ['search.js', 'import { kindOf,', 'import { kindsOf,', "no exported member named 'kindsOf'"],
] as const

test('mistakes in it are found', () => {
  const problems = checkPage((text, name) =>
    mistakes
      .filter(([file]) => file === name)
      .reduce((made, [, right, wrong]) => {
        expect(made).toContain(right)
        return made.replace(right, wrong)
      }, text),
  )
  for (const [, , , said] of mistakes) expect(problems).toContain(said)
})
