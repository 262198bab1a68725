import type { MessageType } from '#shared/messages/message-kinds.ts'
import type { MessageMetadata } from '#shared/messages/message-metadata.ts'
import { unsupportedMessage } from '#shared/text/text.ts'
import { gatewayTypes } from '#server/demo/scripts/phrases.ts'
import type { Dice } from './random.ts'

/** The content of a message, independent of its author and time. */
export interface MessageContent {
  text: string
  type: MessageType
  file?: { name: string | null; mimeType: string; sizeBytes: number }
  metadata?: MessageMetadata
}

/**
 * Parses one variant of a script line whose slots are filled: plain text, or `@kind` followed by its
 * arguments, separated by semicolons. Media have plausible metadata and no file.
 */
export function parseContent(dice: Dice, way: string): MessageContent {
  const [, kind, rest = ''] = /^@(\w+) ?(.*)$/su.exec(way) ?? []
  if (kind === undefined) return { text: way, type: 'text' }
  const make = makers[kind]
  if (!make) throw new Error(`no such kind: ${way}`)
  return make(
    dice,
    rest,
    rest.split(';').map((part) => part.trim()),
  )
}

type Maker = (dice: Dice, rest: string, parts: string[]) => MessageContent

const pictureSizes = [
  [1200, 1600],
  [1600, 1200],
  [960, 1280],
  [1080, 1920],
  [899, 1599],
  [1280, 720],
] as const

function fileOf(name: string | null, mimeType: string, sizeBytes: number) {
  return {
    file: { name, mimeType, sizeBytes },
  }
}

function video(
  dice: Dice,
  text: string,
  longest: number,
  more: MessageMetadata,
  sides: readonly [number, number],
): MessageContent {
  const seconds = dice.between(3, longest)
  const [width, height] = sides
  return {
    text,
    type: 'video',
    ...fileOf(null, 'video/mp4', seconds * dice.between(180_000, 310_000)),
    metadata: { seconds, width, height, ...more },
  }
}

function place(dice: Dice, parts: string[], isLive: boolean): MessageContent {
  const [name = '', address = ''] = parts
  const latitude = -23.5 - dice.between(-600, 900) / 10_000
  const longitude = -46.62 - dice.between(-900, 900) / 10_000
  return {
    text: name,
    type: 'location',
    metadata: {
      location: {
        latitude,
        longitude,
        ...(name && { name }),
        ...(address && { address }),
        ...(isLive && { isLive }),
      },
    },
  }
}

function call(text: string, isVideo: boolean): MessageContent {
  return {
    text,
    type: 'call',
    metadata: { call: { isVideo, outcome: 'missed' } },
  }
}

const documentTypes: Record<string, string> = {
  pdf: 'application/pdf',
  xml: 'application/xml',
}

const makers: Record<string, Maker | undefined> = {
  image(dice, text) {
    const [width, height] = dice.pick(pictureSizes)
    return {
      text,
      type: 'image',
      ...fileOf(null, 'image/jpeg', dice.between(62_000, 910_000)),
      metadata: { width, height },
    }
  },
  video: (dice, text) =>
    video(
      dice,
      text,
      58,
      {},
      dice.pick([
        [480, 848],
        [848, 480],
        [720, 1280],
      ]),
    ),
  round: (dice, text) => video(dice, text, 25, { isRound: true }, [400, 400]),
  gif: (dice, text) => video(dice, text, 5, { isGif: true }, [480, 270]),
  voice(dice) {
    const seconds = dice.between(4, 72)
    return {
      text: '',
      type: 'audio',
      ...fileOf(null, 'audio/ogg; codecs=opus', seconds * dice.between(2100, 2600)),
      metadata: { seconds, isVoice: true },
    }
  },
  audio(dice, name) {
    const seconds = dice.between(20, 190)
    return {
      text: '',
      type: 'audio',
      ...fileOf(name || null, 'audio/mp4', seconds * dice.between(11_000, 16_000)),
      metadata: { seconds, isVoice: false },
    }
  },
  doc(dice, rest) {
    const [, name = rest, ending = 'pdf', caption = ''] = /^(.*?\.(pdf|xml))\s*(.*)$/u.exec(rest) ?? []
    const pages = ending === 'pdf' ? dice.pick([1, 1, 1, 2, 3, 4, 12]) : undefined
    return {
      text: caption,
      type: 'document',
      ...fileOf(
        name,
        documentTypes[ending] ?? 'application/octet-stream',
        dice.between(9, 480) * 1024 + dice.between(0, 999),
      ),
      ...(pages && { metadata: { pages } }),
    }
  },
  sticker: (dice) => ({
    text: '',
    type: 'sticker',
    ...fileOf(null, 'image/webp', dice.between(14_000, 96_000)),
    metadata: { width: 512, height: 512 },
  }),
  contact(_dice, _rest, [name = '', number = '', organization = '']) {
    const waId = `55${number.replace(/\D/g, '')}`
    return {
      text: name,
      type: 'contact',
      metadata: { contacts: [{ name, phones: [{ number, waId }], ...(organization && { organization }) }] },
    }
  },
  location: (dice, _rest, parts) => place(dice, parts, false),
  live: (dice) => place(dice, [], true),
  poll: (_dice, _rest, [question = '', ...options]) => ({
    text: question,
    type: 'poll',
    metadata: { poll: { options, selectable: 1 } },
  }),
  call: () => call('Chamada de voz perdida', false),
  callvideo: () => call('Chamada de vídeo perdida', true),
  unsupported: (dice) => ({
    text: unsupportedMessage,
    type: 'unsupported',
    metadata: { gatewayType: dice.pick(gatewayTypes) },
  }),
}
