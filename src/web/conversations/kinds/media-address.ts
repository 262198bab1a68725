import type { Message } from '#shared/messages.ts'
import { maxFileSize } from '#shared/media.ts'

/** Kept by the server, or chosen in this browser a moment ago. */
const isAtHand = ({ fileUrl }: Message) =>
  fileUrl !== null && (fileUrl.includes('/files/') || fileUrl.startsWith('blob:'))

/** Where the file of a message is asked for: where it lies, or through the gateway; undefined when there is none yet. */
export function mediaAddress(message: Message): string | undefined {
  if (isAtHand(message)) return message.fileUrl ?? undefined
  // What is on its way to the server has no id yet.
  return message.id > 0 ? `/api/media/evolution/${message.id}` : undefined
}

/** A file that stays at the gateway until somebody wants it. */
export function isLeftThere(message: Message): boolean {
  return !isAtHand(message) && (message.fileSize ?? 0) > maxFileSize
}
