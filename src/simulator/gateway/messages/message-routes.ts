import { buttonsSchema, listSchema, pollSchema, statusSchema } from './choice-schemas.ts'
import { refuse } from '#simulator/gateway/gateway-errors.ts'
import type { Call, Routes } from '#simulator/gateway/gateway-server.ts'
import { sendFromConsole } from './send.ts'
import type { Outgoing } from './send.ts'
import {
  audioSchema,
  contactSchema,
  locationSchema,
  mediaSchema,
  reactionSchema,
  stickerSchema,
  textSchema,
  videoNoteSchema,
} from './send-schemas.ts'
import {
  audioOf,
  buttonsOf,
  contactOf,
  listOf,
  locationOf,
  mediaOf,
  pollOf,
  reactionOf,
  statusOf,
  stickerOf,
  textOf,
  videoNoteOf,
} from './send-bodies.ts'
import { flattenV1 } from '#simulator/gateway/v1-bodies.ts'
import { validate } from '#simulator/gateway/validation.ts'
import type { Schema } from '#simulator/gateway/validation.ts'
import type { World } from '#simulator/world/world.ts'

/** The send calls. */
export function messageRoutes(routes: Routes, world: World): void {
  const onSend = <Body>(action: string, schema: Schema, read: (body: Body) => Outgoing | Promise<Outgoing>) =>
    routes.onInstance('POST', `/message/${action}`, async ({ instance, body }: Call) => {
      const flat = world.state.version === '1.8' ? flattenV1(action, body) : body
      validate(flat, schema)
      return sendFromConsole(world, instance, await read(flat as Body))
    })

  onSend('sendText', textSchema, textOf.bind(undefined, world))
  onSend('sendMedia', mediaSchema, mediaOf.bind(undefined, world))
  onSend('sendWhatsAppAudio', audioSchema, audioOf.bind(undefined, world))
  onSend('sendPtv', videoNoteSchema, videoNoteOf.bind(undefined, world))
  onSend('sendSticker', stickerSchema, stickerOf.bind(undefined, world))
  onSend('sendLocation', locationSchema, locationOf.bind(undefined, world))
  onSend('sendContact', contactSchema, contactOf.bind(undefined, world))
  onSend('sendPoll', pollSchema, pollOf.bind(undefined, world))
  onSend('sendList', listSchema, listOf.bind(undefined, world))
  onSend('sendButtons', buttonsSchema, buttonsOf.bind(undefined, world))
  onSend('sendStatus', statusSchema, statusOf.bind(undefined, world))
  onSend('sendReaction', reactionSchema, reactionOf)
  routes.onInstance('POST', '/message/sendTemplate', () => {
    throw refuse(400, 'Method not available in the Baileys service')
  })
}
