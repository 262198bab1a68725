import * as z from 'zod/mini'

/**
 * How a send names the quick reply that it came from: the id of one of a sector or of the person, or the
 * shortcut of a general one behind its slash.
 */
export const replyKey = z.string().check(z.maxLength(65), z.regex(/^(?:[1-9]\d{0,8}|\/.+)$/s))
