import { refuse } from '#simulator/gateway/gateway-errors.ts'
import { createJid, isGroup } from '#simulator/world/jids.ts'
import { isBase64, mimetypeOf, secondsOfOgg } from '#simulator/gateway/media/media-facts.ts'
import { mediaBytes } from '#simulator/gateway/media/media-source.ts'
import { type FormBody, uploadedFile } from '#simulator/gateway/multipart.ts'
import type { Outgoing } from './send.ts'
import type { QuotedBody } from '#simulator/gateway/schema-parts.ts'
import type { AudioBody, MediaBody, ReactionBody, TextBody } from './send-schemas.ts'
import type { Message } from '#simulator/world/state.ts'
import type { World } from '#simulator/world/world.ts'

/** Converts the validated body of each send call, with the errors its schema does not cover. */

/** With an unknown id the message is sent unquoted, silently; a given quoted text is used as it is. */
function quoteOf(world: World, quoted: QuotedBody | undefined): Message['quoted'] {
  const id = quoted?.key?.id
  if (id === undefined) return null
  const known = world.state.messages.get(id)
  const given = quoted?.message?.conversation
  if (typeof given === 'string')
    return {
      waId: id,
      text: given,
      fromPhone: known ? known.author === 'phone' : quoted?.key?.fromMe !== true,
    }
  if (!known?.isStored) return null
  return { waId: id, text: known.text, fromPhone: known.author === 'phone', kind: known.kind }
}

interface Addressed {
  number: string
  delay?: number
  quoted?: QuotedBody
  mentioned?: string[]
  messageId?: string
}
function addressed(world: World, { number, delay, quoted, mentioned, messageId }: Addressed) {
  return {
    number,
    delayMs: delay ?? 0,
    quoted: quoteOf(world, quoted),
    // Earlier releases ignore it.
    ...(messageId && world.state.version === '2.4' ? { messageId } : {}),
    // Mentions exist only in groups.
    ...(mentioned && isGroup(number) ? { context: { mentionedJid: mentioned.map(createJid) } } : {}),
  }
}

export function textOf(world: World, body: TextBody): Outgoing {
  if (body.text.trim() === '') throw refuse(400, 'Text is required')
  return { ...addressed(world, body), kind: 'text', text: body.text }
}

const noSize = { width: null, height: null }
function sizeOf(base64: string) {
  return Buffer.byteLength(base64, 'base64')
}
function lastOf(url: string) {
  return URL.parse(url)?.pathname.split('/').at(-1)
}

function fileNameOf({ fileName, mediatype, media = '' }: MediaBody): string {
  const fallback = {
    image: 'image.jpg',
    video: 'video.mp4',
    audio: 'audio.mp3',
    document: lastOf(media) || 'file',
  }
  return fileName ?? fallback[mediatype]
}

export async function mediaOf(world: World, body: MediaBody & FormBody): Promise<Outgoing> {
  const { media = '', mediatype } = body
  const upload = body[uploadedFile]
  if (!upload && isBase64(media) && !body.fileName && mediatype === 'document')
    throw refuse(400, 'For base64 the file name must be informed.')
  const base64 = upload ?? (await mediaBytes(world, media, 'Owned media must be a url or base64'))
  const fileName = fileNameOf(body)
  const facts = { mimetype: mimetypeOf(fileName), fileName, sizeBytes: sizeOf(base64), ...noSize }
  return {
    ...addressed(world, body),
    kind: mediatype,
    text: body.caption ?? '',
    media: { ...facts, seconds: mediatype === 'audio' ? secondsOfOgg(base64) : null },
    base64,
    ...(mediatype === 'audio' ? { voice: false } : {}),
  }
}

const ownedWithBuffer = 'Owned media must be a url, base64, or valid file with buffer'

export async function audioOf(world: World, body: AudioBody & FormBody): Promise<Outgoing> {
  const base64 = body[uploadedFile] ?? (await mediaBytes(world, body.audio ?? '', ownedWithBuffer))
  const facts = { mimetype: 'audio/ogg; codecs=opus', fileName: null, sizeBytes: sizeOf(base64), ...noSize }
  // Up to 2.3.7 `quoted` is ignored here.
  const quoted = world.state.version === '2.4' ? quoteOf(world, body.quoted as QuotedBody | undefined) : null
  return {
    // It takes no id of the caller's, in 2.4 either.
    ...addressed(world, { ...body, messageId: '' }),
    quoted,
    kind: 'audio',
    text: '',
    media: { ...facts, seconds: secondsOfOgg(base64) },
    base64,
  }
}

const graphemes = new Intl.Segmenter('pt-BR', { granularity: 'grapheme' })
function isOneEmoji(text: string) {
  return (
    [...graphemes.segment(text)].length === 1 &&
    /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u.test(text)
  )
}

export function reactionOf({ key, reaction }: ReactionBody): Outgoing {
  if (reaction !== '' && !isOneEmoji(reaction)) throw refuse(400, '"reaction" must be an emoji')
  const target = { number: key.remoteJid, targetId: key.id }
  return { ...target, kind: 'reaction', text: reaction, delayMs: 0, quoted: null }
}
