import type { MediaRequest } from '#simulator/gateway/chats/chat-schemas.ts'
import { describePhoneMessage } from '#simulator/control/describe.ts'
import { faultTitles } from '#simulator/world/faults.ts'
import { refuse } from '#simulator/gateway/gateway-errors.ts'
import type { Answer, Call } from '#simulator/gateway/gateway-server.ts'
import { extensionOf } from './media-facts.ts'
import type { Message } from '#simulator/world/state.ts'
import { isJson, type Json } from '#simulator/webhooks/wire.ts'
import { phoneOf, type World } from '#simulator/world/world.ts'

/**
 * chat/getBase64FromMediaMessage: by a key in the gateway's database, or by the complete data of a webhook.
 */

const mediaTypes = [
  'imageMessage',
  'documentMessage',
  'audioMessage',
  'videoMessage',
  'stickerMessage',
  'ptvMessage',
]
const sideKeys = new Set(['messageContextInfo', 'senderKeyDistributionMessage', 'base64', 'mediaUrl'])

/** The media type, however deeply wrapped, but not of an album's child; undefined when there is none. */
function mediaTypeIn(content: Json): string | undefined {
  const type = Object.keys(content).find((key) => !sideKeys.has(key))
  if (type === undefined) return undefined
  if (mediaTypes.includes(type)) return type
  if (type === 'associatedChildMessage') return undefined
  const inner = content[type]
  return isJson(inner) && isJson(inner['message']) ? mediaTypeIn(inner['message']) : undefined
}

function storedType({ kind, round, media, wraps }: Message): string | undefined {
  if (!media || wraps?.includes('albumChild')) return undefined
  return round ? 'ptvMessage' : `${kind}Message`
}

/** Two attempts, as the gateway makes. */
async function download(world: World, waId: string): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    const isLost = world.injector.hitsMedia()
    const media = isLost ? undefined : world.state.media.get(waId)
    if (media) return media.base64
    if (isLost) world.feed.line('falha', faultTitles.failMedia, waId, 'não baixada')
    if (attempt === 2) throw refuse(400, 'Error: Failed to fetch stream from https://mmg.whatsapp.net')
    await world.timers.sleep(world.pace.mediaRetryMs)
  }
}

function nameOf({ waId, kind, media }: Message, type: string): string {
  if (media?.fileName) return media.fileName
  return kind === 'audio' && type === 'audioMessage'
    ? `${waId}.oga`
    : `${waId}.${extensionOf(media?.mimetype ?? '')}`
}

/** @throws GatewayError 400 for an unknown message, one without media, and media that cannot be downloaded */
export async function mediaBase64(world: World, { body }: Call): Promise<Answer> {
  const { message: asked, convertToMp4 } = body as MediaRequest
  const whole = asked?.message
  const message = world.state.messages.get(asked?.key?.id ?? '')
  // A message passed in full is not looked up.
  if (!whole && !message?.isStored) throw refuse(400, 'Message not found')
  const type = whole ? mediaTypeIn(whole) : message && storedType(message)
  if (type === undefined) throw refuse(400, 'The message is not of the media type')
  const base64 = await download(world, message?.waId ?? '')
  if (!message?.media) throw refuse(400, 'The message is not of the media type')
  const { mimetype, sizeBytes, width, height } = message.media
  const isConverted = convertToMp4 === true && type === 'audioMessage'
  const answer = {
    mediaType: type,
    fileName: nameOf(message, type),
    ...(message.text === '' ? {} : { caption: message.text }),
    size: { fileLength: String(sizeBytes), ...(height && width ? { height, width } : {}) },
    mimetype: isConverted ? 'audio/mp4' : mimetype,
    base64,
    buffer: null,
  }
  return { status: 201, body: answer, detail: describePhoneMessage(phoneOf(world, message), message) }
}
