import { type ErrorCode, refusals } from '#shared/refusals.ts'

export type { ErrorCode }

/** What is said of each refusal, by its code. A module of its own: few screens need all of them. */
export const errorTexts = Object.fromEntries(
  Object.entries(refusals).map(([code, [, text]]) => [code, text]),
) as Record<ErrorCode, string>
