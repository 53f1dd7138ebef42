import { HttpError } from '../../errors.js'

/** 501: an action or getter whose code nobody has written yet, as svc emits it. */
export function notWritten(name: string): never {
  throw new HttpError(501, `'${name}' is not written yet.`)
}
