import type { Json } from '../../blueprint/types.js'
import type { AuthAction } from '../auth-actions.js'
import type { Served } from '../served-routes.js'

/** What the document needs besides the manifest: what the developer's own files say. */
export interface OpenapiFacts {
  /** `app/OpenApi/own.json`, merged over everything. */
  readonly additions: Data
  /** What `routes/api.ts` registers; null: what svc writes there. */
  readonly served: readonly Served[] | null
  /** By URI key: what policies and hooks name. */
  readonly code: ReadonlyMap<string, CodeNames>
  readonly config: ConfigFacts
}

export type Data = Readonly<Record<string, Json>>

/** Names that the policy and the hooks of one repository have. */
export interface CodeNames {
  /** Gates, by what they gate; null: the policy runs only inside the server, so every field may have one. */
  readonly gates: {
    readonly canSee: ReadonlySet<string>
    readonly canStore: ReadonlySet<string>
    readonly canUpdate: ReadonlySet<string>
  } | null
  /** Columns that hooks fill, always and on store: a body that has them is refused. */
  readonly fill: ReadonlySet<string>
  readonly fillOnStore: ReadonlySet<string>
  /** Relations whose attach or detach a callback does. */
  readonly attachCallback: ReadonlySet<string>
  readonly detachCallback: ReadonlySet<string>
}

/** Of `config/svc.ts`. */
export interface ConfigFacts {
  /** The resource routes answer 401 without a token. */
  readonly hasGuard: boolean
  readonly registerFields: readonly string[] | null
  readonly verifyEmail: boolean
  /** Who may read the document. */
  readonly document: 'public' | 'token' | 'off'
}

/** Without a project on the disk: what svc writes into a new one. */
export const usualFacts = (hasAuth: boolean): OpenapiFacts => ({
  additions: {},
  served: null,
  code: new Map(),
  config: {
    hasGuard: hasAuth,
    registerFields: null,
    verifyEmail: false,
    document: 'public',
  },
})

const none: ReadonlySet<string> = new Set()

export const noNames: CodeNames = {
  gates: { canSee: none, canStore: none, canUpdate: none },
  fill: none,
  fillOnStore: none,
  attachCallback: none,
  detachCallback: none,
}

export type Action = AuthAction['action']
