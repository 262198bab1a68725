import type { Call, Routes } from '#simulator/gateway/gateway-server.ts'
import { type Outgoing, sendFromConsole } from './send.ts'
import { audioSchema, mediaSchema, reactionSchema, textSchema } from './send-schemas.ts'
import { audioOf, mediaOf, reactionOf, textOf } from './send-bodies.ts'
import { flattenV1 } from '#simulator/gateway/v1-bodies.ts'
import { type Schema, validate } from '#simulator/gateway/validation.ts'
import type { World } from '#simulator/world/world.ts'

/** The send calls that the console makes. */
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
  onSend('sendReaction', reactionSchema, reactionOf)
}
