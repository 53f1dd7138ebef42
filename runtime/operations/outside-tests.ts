import type { Later } from '../model/model-types.js'

/**
 * A hook that others would notice (a mail, a payment): the tests of a project, where `NODE_ENV` is
 * `test`, do without it.
 *
 * @example afterStore: outsideTests((_context, order) => sendMail(order.email, 'Thank you')),
 */
export function outsideTests<Given extends readonly unknown[]>(
  act: (...given: Given) => Later<void>,
): (...given: Given) => Later<void> {
  return (...given) => (process.env['NODE_ENV'] === 'test' ? undefined : act(...given))
}
