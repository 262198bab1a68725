import type { Message } from '#shared/messages/messages.ts'
import { maxFileSize, refusedExtensionOf } from '#shared/messages/media.ts'

/** Stored by the server, or chosen in this browser a moment ago. */
function isAtHand({ fileUrl }: Message) {
  return fileUrl !== null && (fileUrl.includes('/files/') || fileUrl.startsWith('blob:'))
}

/**
 * The address of a message's file: where it is stored, or through the gateway; undefined while there is none.
 */
export function mediaAddress(message: Message): string | undefined {
  if (isAtHand(message)) return message.fileUrl ?? undefined
  if (refusedExtensionOf(message)) return undefined
  // A message that is being uploaded has no id yet.
  return message.id > 0 ? `/api/media/evolution/${message.id}` : undefined
}

/** Whether the file stays at the gateway until somebody opens it. */
export function isLeftThere(message: Message): boolean {
  return !isAtHand(message) && (message.fileSize ?? 0) > maxFileSize
}
