import * as z from 'zod/mini'

/** The response body of every refusal: a stable code for programs and a Portuguese sentence for people. */
export const errorBody = z.object({
  code: z.string(),
  message: z.string(),
  /** Only with a 5xx status: identifies the log line. */
  reference: z.optional(z.string()),
  /** Only with status 400: the refused fields, each with its reason. */
  fields: z.optional(z.record(z.string(), z.string())),
})
export type ErrorBody = z.infer<typeof errorBody>
