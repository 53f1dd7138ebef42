/** Answers of the project's code, as they come out of its process. */

/** An answer for people, and as data; members are only ever added to that. */
export interface Said {
  readonly answer: 'yes' | 'no'
  readonly lines: readonly string[]
  readonly json: object
}

export type Answered = Said | { readonly cannot: string }

export interface AskedWhy {
  readonly about: string
  readonly id: string
  readonly user: string
  readonly operation: string
  readonly body: Readonly<Record<string, unknown>> | null
  readonly field: string | null
  readonly isColored: boolean
}

export interface AskedWho {
  readonly repository: string
  readonly id: string
  readonly operation: string
  readonly role: string | null
  readonly isNot: boolean
  readonly isAll: boolean
  readonly isColored: boolean
}

export interface AskedDiff {
  readonly users: readonly string[]
  readonly isMarkdown: boolean
  readonly isColored: boolean
}

/** The parts of the answer that svc reads. */
export interface Difference {
  readonly repository: string
  readonly operation: string
  readonly gains: { readonly count: number }
}

export interface Compared {
  readonly differences: readonly Difference[]
  /** Comparisons that failed, and why. */
  readonly problems: readonly string[]
}

/** Questions, and the types of their answers. */
export interface Questions {
  readonly why: { readonly input: AskedWhy; readonly answer: Answered }
  readonly diff: { readonly input: AskedDiff; readonly answer: Answered }
  readonly who: { readonly input: AskedWho; readonly answer: Answered }
}

/** The places of a policy's rules, and their texts. */
export interface RulePlaces {
  readonly file: string
  readonly rules: Readonly<Record<string, { readonly line: number; readonly code: string }>>
}

/** Exit codes of a question; `cannot` differs from no, which is an answer. */
export const questionCodes = { yes: 0, no: 1, cannot: 2 } as const
