import { errors } from './rooms/texts.ts'

/**
 * Every refusal by its code: the HTTP status, and the text. Browsers load it with the few screens that need
 * all of them.
 */
export const refusals = errors

export type ErrorCode = keyof typeof refusals
