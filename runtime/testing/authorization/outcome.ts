/** The outcome of a request. */
export type Outcome =
  | { readonly is: 'allowed' }
  /** Status, and for a list `hidden`: it was not in it. */
  | { readonly is: 'denied'; readonly as: string }
  /** Nothing that a policy says. */
  | { readonly is: 'undecided'; readonly why: string }

/** A row by its name, or by those of a row and one related to it; none: there is no row. */
export interface Trial {
  readonly row: readonly string[]
  readonly outcome: Outcome
}

export const allowed: Outcome = { is: 'allowed' }
export const hidden: Outcome = { is: 'denied', as: 'hidden' }

interface Answer {
  readonly message?: string
  readonly errors?: Readonly<Record<string, readonly string[]>>
}

/**
 * Policies are asked before a body is looked at; 409 is what the database says once they agreed.
 * `pointers` are the fields of the body that name other records: where nothing but these is wrong,
 * a policy hides what they name.
 */
export function outcomeOf(status: number, answer: Answer, pointers: readonly string[]): Outcome {
  if (status < 300 || status === 409) return allowed
  if (status === 401 || status === 403 || status === 404) return { is: 'denied', as: `${status}` }
  const errors = Object.entries(answer.errors ?? {})
  // The names are those of the one record in a list.
  const names = errors.map(([name]) => name.replace(/^0\./, ''))
  if (status === 422 && names.length > 0 && names.every((name) => pointers.includes(name))) {
    return { is: 'denied', as: `422 ${names.toSorted().join(', ')}` }
  }
  const problems = errors.map(([name, texts]) => `${name}: ${texts.join(' ')}`)
  const why = problems.length > 0 ? problems.join('; ') : (answer.message ?? '')
  return { is: 'undecided', why: `${status} ${why}`.trim() }
}

/** Of an action, whose input was refused once the policy agreed, or that nobody has written yet. */
export async function outcomeOfAction(response: Response): Promise<Outcome> {
  const of = await outcome(response)
  const isAgreed =
    response.status === 501 || (of.is === 'undecided' && of.why.startsWith('422 input.'))
  return isAgreed ? allowed : of
}

export async function outcome(
  response: Response,
  pointers: readonly string[] = [],
): Promise<Outcome> {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') === true
  return outcomeOf(response.status, isJson ? (JSON.parse(text) as Answer) : {}, pointers)
}

/** Returns true if it was the record that a field names, so that another one may do. */
export const isPointer = (one: Outcome) => one.is === 'denied' && one.as.startsWith('422')
