import { z } from 'zod'
import { url } from '../../config/env.js'

export const tracingEnv = {
  /** The address for spans: `http://collector:4318`. Without it nothing is traced. */
  OTEL_EXPORTER_OTLP_ENDPOINT: url.optional(),
  /** The name of this server there, instead of the name in app/tracing.ts. */
  OTEL_SERVICE_NAME: z.string().optional(),
}
