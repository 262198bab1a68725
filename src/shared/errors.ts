import * as z from 'zod/mini'
import { errorTexts, type ErrorCode } from './text.ts'

/** The wire form of every refusal: a stable code for programs, a Portuguese sentence for people. */
export const errorBody = z.object({
  code: z.string(),
  message: z.string(),
  /** Present on 5xx: finds the log line. */
  reference: z.optional(z.string()),
  /** Present on 400: the field that was refused and why. */
  fields: z.optional(z.record(z.string(), z.string())),
})
export type ErrorBody = z.infer<typeof errorBody>

/**
 * What stops a caller. Thrown by rules, turned into `{code, message}` by the one error handler. Rooms offer
 * named factories (`conversationNotFound()`); nobody decides by the message's text.
 */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode
  readonly status: number
  readonly fields: Record<string, string> | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(
    code: ErrorCode,
    status: number,
    more: {
      values?: Record<string, string>
      fields?: Record<string, string>
      retryAfterSeconds?: number
    } = {},
  ) {
    super(errorTexts[code].replace(/\{(\w+)\}/g, (whole, key: string) => more.values?.[key] ?? whole))
    this.code = code
    this.status = status
    this.fields = more.fields
    this.retryAfterSeconds = more.retryAfterSeconds
  }
}
