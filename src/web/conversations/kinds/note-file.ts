import type { Message } from '#shared/messages/messages.ts'
import type { MediaType } from '#shared/messages/message-kinds.ts'

/** What browsers draw and play. */
const kinds: readonly [RegExp, MediaType][] = [
  [/^image\/(?:jpeg|png|gif|webp)$/, 'image'],
  [/^video\/(?:mp4|webm|ogg)$/, 'video'],
  [/^audio\/(?:mpeg|mp3|ogg|mp4|aac|x-m4a|wav)$/, 'audio'],
]

/** The file of a note as a message of its own kind, without the text; undefined for a note without a file. */
export function fileOfNote(note: Message): Message | undefined {
  const { messageType, fileName, fileMimeType, deletedAt } = note
  if (messageType !== 'note' || fileName === null || deletedAt !== null) return undefined
  const kind = kinds.find(([pattern]) => pattern.test(fileMimeType ?? ''))?.[1] ?? 'document'
  return { ...note, messageType: kind, content: '', metadata: { ...note.metadata, isVoice: false } }
}
