declare module '../../manifest/words.js' {
  interface ManifestWords {
    /**
     * Keeps a typed client in step, in a folder that may lie beside the project.
     * @example client: '../web/src/api'
     */
    readonly client?: string | ClientOptions
  }
}

/** The typed client of the API. */
export interface ClientOptions {
  /** Its folder, relative to the project. All files in it that svc wrote are overwritten each time. */
  readonly path: string
  /** Adds options for `@tanstack/react-query`. */
  readonly query?: 'tanstack'
  /** Adds the rules of the server, for forms; they need `zod` 4. */
  readonly zod?: boolean
}
