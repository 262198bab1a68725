import { extensionOf } from '#shared/messages/media.ts'
import { messageTypeLabel, type MessageType } from '#shared/messages/message-kinds.ts'

/** The endings of the types whose name does not end with it. */
const endings = new Map([
  ['video/quicktime', 'mov'],
  ['video/x-matroska', 'mkv'],
  ['video/x-msvideo', 'avi'],
  ['audio/mp4', 'm4a'],
  ['audio/mpeg', 'mp3'],
  ['application/msword', 'doc'],
  ['application/vnd.ms-excel', 'xls'],
  ['application/vnd.ms-powerpoint', 'ppt'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'docx'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'xlsx'],
  ['application/vnd.openxmlformats-officedocument.presentationml.presentation', 'pptx'],
  ['application/pdf', 'pdf'],
  ['application/zip', 'zip'],
  ['text/plain', 'txt'],
  ['text/csv', 'csv'],
])

const ofMedia = /^(?:image|video|audio)\/(?:x-)?([a-z0-9]{2,5})$/

function endingOf(mimeType: string): string {
  const [type = ''] = mimeType.toLowerCase().split(';')
  const ending = endings.get(type.trim()) ?? ofMedia.exec(type.trim())?.[1]
  return ending === undefined ? '' : `.${ending}`
}

/** '2026-11-28 09.39', as people here read it; no system refuses it. */
const timeOf = (at: Date, timeZone: string): string =>
  at.toLocaleString('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).replace(':', '.')

const word = (type: MessageType) => (type === 'image' ? 'Foto' : messageTypeLabel(type) || 'Arquivo')

/**
 * The name that a message's file is downloaded under: its own, or its kind with the time of the message; in
 * both cases with the ending of its type, if it has none.
 * @param timezone IANA name, in which the time is
 */
export function downloadName(
  { fileName, messageType, sentAt }: { fileName: string | null; messageType: MessageType; sentAt: Date },
  mimeType: string,
  timezone: string,
): string {
  if (fileName === null) return `${word(messageType)} ${timeOf(sentAt, timezone)}${endingOf(mimeType)}`
  return extensionOf(fileName) === '' ? `${fileName}${endingOf(mimeType)}` : fileName
}
