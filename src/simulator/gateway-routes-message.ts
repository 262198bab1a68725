import { refuse } from './gateway-errors.ts'
import type { Call, Routes } from './gateway-server.ts'
import { audioSchema, mediaSchema, reactionSchema, textSchema } from './gateway-schemas.ts'
import type { AudioBody, MediaBody, QuotedBody, ReactionBody, TextBody } from './gateway-schemas.ts'
import { isBase64, isUrl, mimetypeOf, secondsOfOgg } from './media-facts.ts'
import { sendFromConsole } from './outgoing.ts'
import type { Outgoing } from './outgoing.ts'
import type { Message } from './state.ts'
import { validate } from './validation.ts'
import type { World } from './world.ts'

/** An unknown id sends the message unquoted, without a word; a quoted text that is given is used as it stands. */
const quoteOf = (world: World, quoted: QuotedBody | undefined): Message['quoted'] => {
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
  return known?.isStored ? { waId: id, text: known.text, fromPhone: known.author === 'phone' } : null
}

const textOf = (world: World, body: TextBody): Outgoing => {
  if (body.text.trim() === '') throw refuse(400, 'Text is required')
  return {
    number: body.number,
    kind: 'text',
    text: body.text,
    delayMs: body.delay ?? 0,
    quoted: quoteOf(world, body.quoted),
  }
}

const noSize = { width: null, height: null }

const mediaOf = (world: World, body: MediaBody): Outgoing => {
  const { media = '', mediatype } = body
  if (isBase64(media) && !body.fileName && mediatype === 'document')
    throw refuse(400, 'For base64 the file name must be informed.')
  if (!isUrl(media) && !isBase64(media)) throw refuse(400, 'Owned media must be a url or base64')
  // The simulator fetches nothing: a URL is one that cannot be reached.
  if (!isBase64(media)) throw refuse(500, `Error: connect ECONNREFUSED ${new URL(media).host}`)
  const fallback = { image: 'image.jpg', video: 'video.mp4', audio: 'audio.mp3', document: 'file' }
  const fileName = body.fileName ?? fallback[mediatype]
  return {
    number: body.number,
    kind: mediatype,
    text: body.caption ?? '',
    delayMs: body.delay ?? 0,
    quoted: quoteOf(world, body.quoted),
    media: {
      mimetype: mimetypeOf(fileName),
      fileName,
      seconds: mediatype === 'audio' ? secondsOfOgg(media) : null,
      sizeBytes: Buffer.byteLength(media, 'base64'),
      ...noSize,
    },
    base64: media,
  }
}

const audioOf = (body: AudioBody): Outgoing => {
  const { audio = '' } = body
  if (!isUrl(audio) && !isBase64(audio))
    throw refuse(400, 'Owned media must be a url, base64, or valid file with buffer')
  if (!isBase64(audio)) throw refuse(500, `Error: connect ECONNREFUSED ${new URL(audio).host}`)
  return {
    number: body.number,
    kind: 'audio',
    text: '',
    delayMs: body.delay ?? 0,
    // 2.3.7 ignores `quoted` here.
    quoted: null,
    media: {
      mimetype: 'audio/ogg; codecs=opus',
      fileName: null,
      seconds: secondsOfOgg(audio),
      sizeBytes: Buffer.byteLength(audio, 'base64'),
      ...noSize,
    },
    base64: audio,
  }
}

const graphemes = new Intl.Segmenter('pt-BR', { granularity: 'grapheme' })
const isOneEmoji = (text: string) =>
  [...graphemes.segment(text)].length === 1 &&
  /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u.test(text)

const reactionOf = ({ key, reaction }: ReactionBody): Outgoing => {
  if (reaction !== '' && !isOneEmoji(reaction)) throw refuse(400, '"reaction" must be an emoji')
  return {
    number: key.remoteJid,
    kind: 'reaction',
    text: reaction,
    delayMs: 0,
    quoted: null,
    targetId: key.id,
  }
}

/** The send calls: text, media, voice and reaction. */
export const messageRoutes = (routes: Routes, world: World): void => {
  const send = ({ instance }: Call, outgoing: Outgoing) => sendFromConsole(world, instance, outgoing)

  routes.onInstance('POST', '/message/sendText', (call) => {
    validate(call.body, textSchema)
    return send(call, textOf(world, call.body as TextBody))
  })
  routes.onInstance('POST', '/message/sendMedia', (call) => {
    validate(call.body, mediaSchema)
    return send(call, mediaOf(world, call.body as MediaBody))
  })
  routes.onInstance('POST', '/message/sendWhatsAppAudio', (call) => {
    validate(call.body, audioSchema)
    return send(call, audioOf(call.body as AudioBody))
  })
  routes.onInstance('POST', '/message/sendReaction', (call) => {
    validate(call.body, reactionSchema)
    return send(call, reactionOf(call.body as ReactionBody))
  })
}
