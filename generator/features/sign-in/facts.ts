/** Facts about the project's files that signing in needs. */
export interface SignInFacts {
  /** Actions that `svc auth` published here: the base knows them. */
  readonly published: readonly string[]
  /** Published files that still exist. */
  readonly present: readonly string[]
  /** The config that svc wrote last says who signs in. */
  readonly saysSignIn: boolean
  /** The config may name an outside issuer of tokens today. */
  readonly hasJwt: boolean
}

declare module '../../plan/project.js' {
  interface FeatureFacts {
    /** Absent: nothing is published, and the config says nothing. */
    readonly signIn?: SignInFacts
  }
}
