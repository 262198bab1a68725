import * as z from 'zod/mini'
import { everyday, reading } from '#shared/audit/unaudited.ts'
import { mentioned } from './mentions.ts'
import { isMediaType, mediaTypes, type MessageType } from './message-kinds.ts'
import { clientMessageId, message } from './messages.ts'
import { replyKey } from '#shared/quick-replies/reply-key.ts'
import { endpoint } from '#shared/endpoint.ts'
import { idParam } from '#shared/users/users.ts'

/** The largest file that an operator may send. @see decisions §2 '10 MB media setting or 50 MB in chat' */
export const maxUploadBytes = 50 * 1024 * 1024
/** The largest file of a client that is copied on arrival, in bytes. Larger ones are fetched when opened. */
export const maxFileSize = 10_485_760

/**
 * Types that no file may have: those of the specification, and further ones that run code or lead elsewhere
 * when they are opened (shortcuts, disk images, documents with macros).
 * @see specification §5 Upload
 */
export const blockedExtensions: ReadonlySet<string> = new Set(
  (
    'php asp aspx jsp js jar exe bat cmd com scr pif vbs vbe ws wsh ps1 py rb pl sh bash msi deb rpm ' +
    'dmg pkg app apk ipa sql db sqlite reg inf sys dll lib so dylib bin hex run action application ' +
    'command workflow hta jse wsc wsf ' +
    'lnk url cpl chm xll jnlp iso vhd vhdx msc msp mst scf appx msix hlp ' +
    'gadget img psm1 sct appref-ms library-ms search-ms searchconnector-ms settingcontent-ms ' +
    'docm dotm xlsm xlsb xltm xlam xla slk iqy pptm potm ppam ppsm one'
  ).split(' '),
)

/** What the file dialog offers first; other types arrive as documents by drag and drop or paste. */
export const pickerExtensions =
  '.jpeg,.jpg,.png,.gif,.webp,.mp4,.avi,.mov,.webm,.mp3,.wav,.ogg,.m4a,.pdf,.doc,.docx,.txt,.zip'

const maxNameLength = 200
/** Longer names, which no system allows, are cut at the front: the extension matters most. */
const longestGiven = 1000
// Control characters, invisible ones, and those that reverse the direction of text.
const unseen = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu
const picture = '\\p{Extended_Pictographic}\\p{Emoji_Modifier}?\\ufe0f?'
/** An emoji with what joins its parts, or an invisible character. */
const emojiOrUnseen = new RegExp(`(${picture}(?:\\u200d${picture})*)|${unseen.source}`, 'gu')

/**
 * The name under which a file is shown, sent and checked: the last part of a path, without invisible
 * characters and without the final dots and spaces that some systems drop. It stays as it was given, in NFC
 * form, unless NFKC shows that it disguises its extension. Never empty.
 */
export function finalFileName(given: string): string {
  const end = given.slice(-longestGiven)
  const checked = trimmedName(end.replace(unseen, '').normalize('NFKC'))
  const kept = trimmedName(end.replace(emojiOrUnseen, (_all, emoji: string = '') => emoji).normalize('NFC'))
  return extensionOf(kept) === extensionOf(checked) ? kept : checked
}

function trimmedName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? ''
  // 'x.php::$DATA' names x.php on systems with file streams; otherwise a colon has no place in a name.
  const trimmed = last
    .replace(/(?<!:):+\$[a-z_]*$/i, '')
    .replace(/:+/g, ' ')
    .trim()
    .replace(/(?<![.\s])[.\s]+$/u, '')
  if (trimmed === '' || /^\.+$/.test(trimmed)) return 'arquivo'
  const extension = extensionOf(trimmed)
  const ending = extension === '' ? '' : `.${extension}`
  const stem = trimmed.slice(0, trimmed.length - ending.length)
  const cut = Array.from(stem)
    .slice(0, maxNameLength)
    .join('')
    .replace(/\u200d$/, '')
  return cut + trimmed.slice(stem.length)
}

/** The extension in lower case, without the dot; '' if there is none or it does not look like one. */
export function extensionOf(fileName: string): string {
  const at = fileName.lastIndexOf('.')
  const extension = at === -1 ? '' : fileName.slice(at + 1).toLowerCase()
  // Those of Windows that end in '-ms' are the only known ones with another sign.
  return /^[a-z0-9]{1,16}(-ms)?$/.test(extension) ? extension : ''
}

/** The extension for which a name is refused, if any. @param fileName from `finalFileName` */
export function blockedExtensionOf(fileName: string): string | undefined {
  const extension = extensionOf(fileName)
  return blockedExtensions.has(extension) ? extension : undefined
}

const jsonText = z.pipe(
  z.string().check(z.maxLength(4096)),
  z.transform((text, { issues }): unknown => {
    try {
      return JSON.parse(text)
    } catch {
      issues.push({ code: 'custom', message: 'Informe as menções em JSON', input: text })
      return z.NEVER
    }
  }),
)

export const uploadFields = z.object({
  conversationId: z.optional(idParam),
  /** Instead of a conversation, the contact with whom the first message creates one. */
  contactId: z.optional(idParam),
  /** The number to begin that conversation at; absent: that of the last one, else the main one. */
  instanceId: z.optional(idParam),
  caption: z.optional(z.string().check(z.maxLength(4096))),
  clientMessageId: z.optional(clientMessageId),
  quotedMessageId: z.optional(idParam),
  /** The quick reply that it came from, which is counted. */
  quickReply: z.optional(replyKey),
  /** Recorded in the console, so it is sent as a voice message. */
  isVoice: z.optional(z.enum(['true', 'false'])),
  /** Kept in a note of the team, in a conversation, and never sent. */
  isNote: z.optional(z.enum(['true', 'false'])),
  /** Whom the note mentions, as in `writeNote`, in JSON. */
  mentions: z.optional(z.pipe(jsonText, mentioned)),
  /** Whole seconds and pixels, measured by the browser to reserve space. */
  seconds: z.optional(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(86_400))),
  width: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100_000))),
  height: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100_000))),
})
export type UploadFields = z.output<typeof uploadFields>

/** The body is multipart/form-data: the fields of `uploadFields`, followed by the part `file`. */
export const uploadMedia = endpoint({
  method: 'POST',
  path: '/api/media/upload',
  summary: 'Enviar um arquivo ao cliente, ou guardá-lo numa nota interna',
  rows: {
    'POST /api/media/upload': { act: 'attachFile', audit: everyday },
    'POST /api/media/upload (note)': {
      needs: ['canUploadMedia', 'canViewConversations', 'canEditConversations'],
      audit: 'conversation.note',
    },
  },
  takesFile: true,
  reply: z.object({ fileUrl: z.string(), messageType: z.enum([...mediaTypes, 'note']), message }),
  status: 201,
})

/** The file's bytes: with `download` as an attachment, otherwise inline if that is safe. */
const served = z.object({ download: z.optional(z.literal('1')) })

export const getMessageMedia = endpoint({
  method: 'GET',
  path: '/api/media/evolution/:messageId',
  isUncounted: true,
  summary: 'O arquivo de uma mensagem; buscado no gateway quando ainda não está aqui',
  rows: {
    'GET /api/media/evolution/{msg of open}': { act: 'openFiles', audit: reading },
    'GET /api/media/evolution/{msg of archived}': {
      needs: ['canDownloadMedia', 'canViewConversations', 'canViewArchivedConversations'],
      audit: 'conversation.read',
    },
  },
  ids: { messageId: 'message' },
  params: z.object({ messageId: idParam }),
  query: served,
  sendsFile: true,
})

export const getFile = endpoint({
  method: 'GET',
  path: '/api/media/files/:name',
  isUncounted: true,
  summary: 'Um arquivo guardado',
  act: 'openFiles',
  audit: {
    not: 'of an open conversation; of a completed one of somebody else recorded as conversation.read',
    sometimes: 'conversation.read',
  },
  ids: { name: 'file' },
  params: z.object({ name: z.string().check(z.maxLength(200)) }),
  query: served,
  sendsFile: true,
})

/** The MIME types that the console shows by themselves. @see specification §3 media_settings */
export const allowedTypes = {
  image: ['image/jpeg', 'image/png', 'image/gif', 'image/webp'],
  video: ['video/mp4', 'video/webm', 'video/ogg'],
  audio: ['audio/mp3', 'audio/wav', 'audio/ogg', 'audio/mpeg'],
  document: [
    'application/pdf',
    'application/msword',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  ],
} as const

/**
 * The extension for which the file of a message that came is not stored, if any: one of those that no file
 * may have. Every other type is stored, and shown as a document if nothing else.
 */
export function refusedExtensionOf(message: {
  messageType: MessageType
  fileName?: string | null | undefined
}): string | undefined {
  if (!message.fileName || !isMediaType(message.messageType)) return undefined
  return blockedExtensionOf(finalFileName(message.fileName))
}
