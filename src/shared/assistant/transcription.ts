import * as z from 'zod/mini'
import { messageContent } from '#shared/contacts/client-phone.ts'

/**
 * Why a voice message was not transcribed: its file could not be fetched, it is too long, the minutes of the
 * day are used up, it was switched off, the message was changed meanwhile; or the server did not answer, gave
 * no such answer, or refused.
 */
export const transcriptionFailures = [
  'file',
  'too_long',
  'day_limit',
  'off',
  'changed',
  'unreachable',
  'bad_answer',
  'refused',
] as const
export type TranscriptionFailure = (typeof transcriptionFailures)[number]

/** Of a sound: 'offered' where somebody may ask for it; 'waiting' also while its file is fetched. */
export const transcription = z.object({
  state: z.enum(['offered', 'waiting', 'failed', 'done']),
  /** Of one that is done; '' where no words were recognized. It is a stranger's text. */
  text: z.optional(messageContent),
  /** Of one that has failed. */
  reason: z.optional(z.enum(transcriptionFailures)),
})
export type Transcription = z.infer<typeof transcription>
