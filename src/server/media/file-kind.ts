import { sizeOfPicture } from './picture.ts'
import { blockedExtensions, extensionOf } from '#shared/messages/media.ts'
import type { mediaTypes } from '#shared/messages/message-kinds.ts'

type MediaType = (typeof mediaTypes)[number]

/** The kind of a file, detected from its content; declared types are ignored. */
export interface FileKind {
  mimeType: string
  /** The usual extension of the kind; '' when it is unknown. */
  extension: string
}

/** More than any telephone's camera takes. */
const mostPixels = 250_000_000

const unknown: FileKind = { mimeType: 'application/octet-stream', extension: '' }

/** The part of a stored file from which its kind is detected. */
export interface Beginning {
  /** Some tens of kilobytes identify nearly every kind. */
  head: Buffer
  /** More of it; fewer bytes when the file is shorter. */
  readStart(bytes: number): Promise<Buffer>
}

/** What a camera or a program writes about a picture may stand before its size. */
const mostBeforeSize = 4 * 1024 * 1024

export async function kindOfFile(file: Beginning): Promise<FileKind> {
  const { head } = file
  if (head.subarray(0, 2).toString('latin1') === '#!')
    return { mimeType: 'text/x-shellscript', extension: 'sh' }
  // Loaded with the first file, because the start needs none of it.
  const { fileTypeFromBuffer } = await import('file-type')
  const found = await fileTypeFromBuffer(head)
  if (!found) return unknown
  const [mimeType = ''] = found.mime.split(';')
  if (isShownPicture(mimeType) && !(await isDrawable(file))) return { ...unknown, extension: found.ext }
  return { mimeType: oneName.get(mimeType) ?? mimeType, extension: found.ext }
}

/**
 * Whether a browser can draw the picture. Decoded, one that is too large would take gigabytes of the
 * browser's memory; one of unknown size may be such a one. Both are files like any other.
 */
async function isDrawable({ head, readStart }: Beginning): Promise<boolean> {
  const size = sizeOfPicture(head) ?? sizeOfPicture(await readStart(mostBeforeSize))
  return size !== undefined && size.width * size.height <= mostPixels
}

/** One of the names of kinds that have several. */
const oneName = new Map([
  ['audio/x-m4a', 'audio/mp4'],
  ['audio/wave', 'audio/wav'],
  ['audio/vnd.wave', 'audio/wav'],
  ['audio/opus', 'audio/ogg'],
  ['application/ogg', 'audio/ogg'],
])

/**
 * Appends the extension that the gateway relies on: it calls a file without one 'false'. Call it before the
 * name is stored, because the echo of a send is matched by the name.
 */
export function withExtension(fileName: string, { extension }: FileKind): string {
  return extensionOf(fileName) === '' ? `${fileName}.${extension || 'bin'}` : fileName
}

/** Kinds of programs without an extension in the list of blocked ones. */
const programs = new Set(['elf', 'macho', 'class', 'lnk'])

/** The kind of program that the file is, whatever its name; undefined when it is none. */
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

/**
 * The message type of a file: the type that WhatsApp displays, or a document.
 * @param isVoice recorded in the console
 */
export function messageTypeOf({ mimeType }: FileKind, isVoice: boolean): MediaType {
  // Some recorders label sound in a video container as video.
  if (isVoice && /^(audio|video)\//.test(mimeType)) return 'audio'
  return typeByMime.get(mimeType) ?? 'document'
}

/** Kinds that a browser may display inline: none of them can run code. All others are downloads. */
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

/** Whether it is a picture that a browser may draw. */
export function isShownPicture(mimeType: string): boolean {
  return isShown(mimeType) && mimeType.startsWith('image/')
}
