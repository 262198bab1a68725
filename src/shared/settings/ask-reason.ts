import * as z from 'zod/mini'

/** Whether who finalizes is asked why; without reasons to choose from nobody is. */
export const askReason = z.enum(['no', 'optional', 'required'])
export type AskReason = z.infer<typeof askReason>
