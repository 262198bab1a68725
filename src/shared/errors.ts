import { type ErrorCode, refusals } from './refusals.ts'

export { errorBody, type ErrorBody } from './error-body.ts'
export type { ErrorCode }

/**
 * A refusal. Rules throw it and the error handler answers with it as `ErrorBody`. Rooms offer named factories
 * (`conversationNotFound()`); programs compare `code`, never the text.
 */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode
  readonly fields: Record<string, string> | undefined
  readonly retryAfterSeconds: number | undefined

  /**
   * @param more `values` fill the placeholders of the text, `fields` names the refused fields of a form, and
   * `text` takes the place of the code's own
   */
  constructor(
    code: ErrorCode,
    more: {
      values?: Record<string, string>
      fields?: Record<string, string>
      text?: string
      retryAfterSeconds?: number
    } = {},
  ) {
    super(
      more.text ??
        refusals[code][1].replace(/\{(\w+)\}/g, (whole, key: string) => more.values?.[key] ?? whole),
    )
    this.code = code
    this.fields = more.fields
    this.retryAfterSeconds = more.retryAfterSeconds
  }

  /** Of HTTP. It follows from the code, so that rules do not deal with HTTP. */
  get status(): number {
    return refusals[this.code][0]
  }
}
