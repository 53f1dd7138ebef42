import { expect, test } from 'vitest'
import { checkPage } from './check-page.js'

test('the JavaScript of the page agrees with what its names mean', () => {
  expect(checkPage()).toBe('')
})

const mistakes = [
  ['data.js', 'resource.title', 'resource.titel', "Property 'titel' does not exist"],
  ['record.js', "send('DELETE', path)", "send('DELETE')", 'Expected 2-3 arguments, but got 1'],
  ['values.js', 'address(resource.path,', 'address(resource,', "'Resource' is not assignable"],
  ['try.js', 'route.query, model.follow)', 'route.query, model.folow)', "'folow' does not exist"],
  ['search.js', 'import { kindOf }', 'import { kindsOf }', "no exported member named 'kindsOf'"],
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
