import type { ButtonsBody, ListBody, PollBody, StatusBody } from './choice-schemas.ts'
import { richDraft } from '#simulator/phones/drafts.ts'
import { refuse } from '#simulator/gateway/gateway-errors.ts'
import { createJid, isGroup } from '#simulator/world/jids.ts'
import { isBase64, mimetypeOf, secondsOfOgg } from '#simulator/gateway/media/media-facts.ts'
import { mediaBytes } from '#simulator/gateway/media/media-source.ts'
import { uploadedFile } from '#simulator/gateway/multipart.ts'
import type { FormBody } from '#simulator/gateway/multipart.ts'
import type { Outgoing } from './send.ts'
import type { QuotedBody } from '#simulator/gateway/schema-parts.ts'
import type {
  AudioBody,
  ContactBody,
  LocationBody,
  MediaBody,
  ReactionBody,
  StickerBody,
  TextBody,
  VideoNoteBody,
} from './send-schemas.ts'
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
}
function addressed(world: World, { number, delay, quoted, mentioned }: Addressed) {
  return {
    number,
    delayMs: delay ?? 0,
    quoted: quoteOf(world, quoted),
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
    ...addressed(world, body),
    quoted,
    kind: 'audio',
    text: '',
    media: { ...facts, seconds: secondsOfOgg(base64) },
    base64,
  }
}

export async function videoNoteOf(world: World, body: VideoNoteBody & FormBody): Promise<Outgoing> {
  const base64 = body[uploadedFile] ?? (await mediaBytes(world, body.video ?? '', ownedWithBuffer))
  const facts = { mimetype: 'video/mp4', fileName: null, seconds: null, sizeBytes: sizeOf(base64), ...noSize }
  return { ...addressed(world, body), kind: 'video', text: '', media: facts, base64, round: true }
}

export async function stickerOf(world: World, body: StickerBody & FormBody): Promise<Outgoing> {
  const refusal = 'Owned media must be a url or base64'
  const base64 = body[uploadedFile] ?? (await mediaBytes(world, body.sticker ?? '', refusal))
  const facts = {
    mimetype: 'image/webp',
    fileName: null,
    seconds: null,
    sizeBytes: sizeOf(base64),
    ...noSize,
  }
  return { ...addressed(world, body), kind: 'sticker', text: '', media: facts, base64 }
}

export function locationOf(world: World, body: LocationBody): Outgoing {
  const { latitude, longitude, name, address } = body
  const location = { latitude, longitude, name, address }
  return { ...addressed(world, body), kind: 'location', text: name, location }
}

export function contactOf(world: World, { number, contact }: ContactBody): Outgoing {
  const contacts = contact.map(({ fullName: name, phoneNumber, wuid, organization, email, url }) => ({
    name,
    // Without the digits the card contains the whole jid, which no phone can call.
    phones: [{ number: phoneNumber, waid: wuid ?? createJid(phoneNumber) }],
    ...(organization ? { organization } : {}),
    ...(email ? { email } : {}),
    ...(url ? { url } : {}),
  }))
  return { ...addressed(world, { number }), ...richDraft({ kind: 'contact', contacts }) }
}

export function pollOf(world: World, body: PollBody): Outgoing {
  const { name, values: options, selectableCount } = body
  const rich = richDraft({ kind: 'poll', name, options, selectableCount, version: 3 })
  return { ...addressed(world, body), ...rich }
}

export function listOf(world: World, body: ListBody): Outgoing {
  const { title, description = '', buttonText: button, footerText: footer, sections } = body
  const rows = sections.flatMap((section) =>
    section.rows.map((row) => ({ title: row.title, rowId: row.rowId, description: row.description ?? '' })),
  )
  const rich = richDraft({ kind: 'list', title, description, button, footer, rows })
  return { ...addressed(world, body), ...rich }
}

export function buttonsOf(world: World, body: ButtonsBody): Outgoing {
  const { title = '', description = '', footer = '' } = body
  if (!body.buttons?.length) throw refuse(400, 'At least one button is required')
  const buttons = body.buttons.map(({ id = '', displayText: text = '' }) => ({ id, text }))
  const rich = richDraft({ kind: 'buttons', title, description, footer, buttons })
  return { ...addressed(world, body), ...rich }
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

const storyMimetype = { image: 'image/jpeg', video: 'video/mp4', audio: 'audio/ogg; codecs=opus' } as const

/** A story is not sent to any phone's chat. */
export async function statusOf(world: World, body: StatusBody): Promise<Outgoing> {
  const { type, content, caption = '', backgroundColor, font, statusJidList, allContacts } = body
  if (!allContacts && !statusJidList?.length) throw refuse(400, 'StatusJidList is required')
  const story = { number: 'status@broadcast', delayMs: 0, quoted: null }
  if (type === 'text') {
    if (!backgroundColor) throw refuse(400, 'Background color is required')
    if (font === undefined) throw refuse(400, 'Font is required')
    return { ...story, kind: 'text', text: content }
  }
  const base64 = await mediaBytes(world, content, 'Owned media must be a url or base64')
  const facts = { mimetype: storyMimetype[type], fileName: null, seconds: null, sizeBytes: sizeOf(base64) }
  return { ...story, kind: type, text: caption, media: { ...facts, ...noSize }, base64 }
}
