import { blockedExtensions, extensionOf } from '#shared/media.ts'
import type { mediaTypes } from '#shared/message-kinds.ts'

type MediaType = (typeof mediaTypes)[number]

/** What a file is, by its first bytes; what anybody says of it is not believed. */
export interface FileKind {
  mimeType: string
  /** The usual extension of this kind; '' when the kind is not known. */
  extension: string
}

const unknown: FileKind = { mimeType: 'application/octet-stream', extension: '' }

/** @param head the first of the file; some tens of kilobytes tell nearly every kind */
export async function kindOfFile(head: Buffer): Promise<FileKind> {
  if (head.subarray(0, 2).toString('latin1') === '#!')
    return { mimeType: 'text/x-shellscript', extension: 'sh' }
  // Loaded by the first file: a start needs none of it.
  const { fileTypeFromBuffer } = await import('file-type')
  const found = await fileTypeFromBuffer(head)
  if (!found) return unknown
  const [mimeType = ''] = found.mime.split(';')
  return { mimeType: oneName.get(mimeType) ?? mimeType, extension: found.ext }
}

/** Some kinds have several names. */
const oneName = new Map([
  ['audio/x-m4a', 'audio/mp4'],
  ['audio/wave', 'audio/wav'],
  ['audio/vnd.wave', 'audio/wav'],
  ['audio/opus', 'audio/ogg'],
  ['application/ogg', 'audio/ogg'],
])

/**
 * The gateway goes by a name's extension, and calls a file without one 'false'. The name is settled before it is stored:
 * an echo is known by the name under which the file went out.
 */
export function withExtension(fileName: string, { extension }: FileKind): string {
  return extensionOf(fileName) === '' ? `${fileName}.${extension || 'bin'}` : fileName
}

/** Programs that have no extension of their own on the list. */
const programs = new Set(['elf', 'macho', 'class', 'lnk'])

/** The kind of program that the bytes are, which no name makes harmless. */
export function programIn({ extension }: FileKind): string | undefined {
  return blockedExtensions.has(extension) || programs.has(extension) ? extension : undefined
}

const typeByMime = new Map<string, MediaType>([
  ['image/jpeg', 'image'],
  ['image/png', 'image'],
  ['image/gif', 'image'],
  ['image/webp', 'image'],
  ['video/mp4', 'video'],
  ['video/3gpp', 'video'],
  ['audio/mpeg', 'audio'],
  ['audio/ogg', 'audio'],
  ['audio/mp4', 'audio'],
  ['audio/aac', 'audio'],
  ['audio/amr', 'audio'],
])

/** As what a file is sent: what WhatsApp shows as such, or a document. @param isVoice recorded in the console */
export function messageTypeOf({ mimeType }: FileKind, isVoice: boolean): MediaType {
  // A recorder calls sound in a film's box a film.
  if (isVoice && /^(audio|video)\//.test(mimeType)) return 'audio'
  return typeByMime.get(mimeType) ?? 'document'
}

/** What a browser may show in place: nothing in it is ever run. Everything else is only handed out. */
const shown = new Set([
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
  'video/mp4',
  'video/webm',
  'audio/mpeg',
  'audio/mp4',
  'audio/ogg',
  'audio/wav',
])

export function isShown(mimeType: string): boolean {
  return shown.has(mimeType)
}
