import type { BareMessage, CheckedPhoneMessage, Rich, Wrap } from '#simulator/control-api.ts'
import { richText } from '#simulator/webhooks/rich-content.ts'
import type { Message } from '#simulator/world/state.ts'

/** A message before it has an id, a time and a chat. */
export interface Draft
  extends
    Pick<Message, 'kind' | 'text'>,
    Partial<
      Pick<
        Message,
        | 'targetId'
        | 'location'
        | 'media'
        | 'rich'
        | 'act'
        | 'wraps'
        | 'forwarded'
        | 'context'
        | 'encoding'
        | 'round'
        | 'gif'
        | 'voice'
      >
    > {
  id?: string | undefined
  at?: string | undefined
  instance?: string | undefined
  quotedId?: string | undefined
  base64?: string
}

const defaultMimetype = {
  image: 'image/jpeg',
  video: 'video/mp4',
  audio: 'audio/ogg; codecs=opus',
  document: 'application/pdf',
  sticker: 'image/webp',
} as const

type MediaMessage = Extract<BareMessage, { base64: string }>

function mediaDraft(body: MediaMessage): Draft {
  const { kind, base64 } = body
  const media = {
    mimetype: body.mimetype ?? defaultMimetype[kind],
    fileName: 'fileName' in body ? (body.fileName ?? null) : null,
    seconds: 'seconds' in body ? (body.seconds ?? null) : null,
    sizeBytes: Buffer.byteLength(base64, 'base64'),
    width: 'width' in body ? (body.width ?? null) : null,
    height: 'height' in body ? (body.height ?? null) : null,
  }
  const text = 'caption' in body ? (body.caption ?? '') : ''
  const { round, gif } = kind === 'video' ? body : {}
  const isFile = kind === 'audio' && !body.voice
  return {
    kind,
    text,
    media,
    base64,
    ...(round ? { round } : {}),
    ...(gif ? { gif } : {}),
    ...(isFile ? { voice: false } : {}),
  }
}

/** A `rich` message also gets a plain kind, for readers that know no other. */
function richDraft(rich: Rich): Pick<Draft, 'kind' | 'text' | 'rich' | 'location'> {
  const text = richText(rich)
  if (rich.kind !== 'liveLocation') return { kind: 'text', text, rich }
  const { latitude, longitude } = rich
  return { kind: 'location', text, rich, location: { latitude, longitude, name: text, address: '' } }
}

function contentDraft(body: BareMessage): Draft {
  switch (body.kind) {
    case 'text':
      return { kind: 'text', text: body.text }
    case 'location': {
      const { latitude, longitude, name = '', address = '' } = body
      return { kind: 'location', text: name, location: { latitude, longitude, name, address } }
    }
    case 'image':
    case 'video':
    case 'audio':
    case 'document':
    case 'sticker':
      return mediaDraft(body)
    default:
      return richDraft(body)
  }
}

function listOf(wrap: Wrap | Wrap[]): Wrap[] {
  return typeof wrap === 'string' ? [wrap] : wrap
}

export function draftOf(body: CheckedPhoneMessage): Draft {
  const { id, at, instance, quotedId, wrap, forwarded, context, encoding, ...bare } = body
  return {
    ...contentDraft(bare),
    id,
    at,
    instance,
    quotedId,
    ...(wrap === undefined || wrap.length === 0 ? {} : { wraps: listOf(wrap) }),
    ...(forwarded ? { forwarded } : {}),
    ...(context ? { context } : {}),
    ...(encoding ? { encoding } : {}),
  }
}
