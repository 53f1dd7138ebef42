import type { Json, Problem } from '../../blueprint/types.js'
import type { Served } from '../../plan/routes/served-routes.js'
import type { CodeNames } from '../../source/code-names.js'
import type { AuthAction } from '../sign-in/actions.js'

/** Facts from the developer's own files that the document needs. */
export interface OpenapiFacts {
  /** `app/OpenApi/own.json` over what is described: merged over everything. */
  readonly additions: Data
  /** Paths and components of the developer's routes that say them themselves; null: none does. */
  readonly described: Data | null
  /** The place of each, by its operationId. */
  readonly describedAt: ReadonlyMap<string, Place>
  /** The routes of `routes/api.ts`; null: those that svc writes there. */
  readonly served: readonly Served[] | null
  /** By URI key: what policies and hooks name. */
  readonly code: ReadonlyMap<string, CodeNames>
  readonly config: ConfigFacts
}

export type Data = Readonly<Record<string, Json>>

export type Place = Pick<Problem, 'file' | 'line' | 'column'>

/** Facts from `config/svc.ts`. */
export interface ConfigFacts {
  /** The resource routes answer 401 without a token. */
  readonly hasGuard: boolean
  readonly registerFields: readonly string[] | null
  readonly verifyEmail: boolean
  /** The readers of the document. */
  readonly document: 'public' | 'token' | 'off'
}

/** Without a project on the disk: what svc writes into a new one. */
export const usualFacts = (hasAuth: boolean): OpenapiFacts => ({
  additions: {},
  described: null,
  describedAt: new Map(),
  served: null,
  code: new Map(),
  config: {
    hasGuard: hasAuth,
    registerFields: null,
    verifyEmail: false,
    document: 'public',
  },
})

export type Action = AuthAction['action']
