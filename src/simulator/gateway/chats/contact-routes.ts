import { type NumberBody, profileSchema } from './chat-schemas.ts'
import type { Answer, Call, Routes } from '#simulator/gateway/gateway-server.ts'
import { createJid, phoneJid } from '#simulator/world/jids.ts'
import { findPhone } from '#simulator/gateway/messages/send.ts'
import { pictureOf } from '#simulator/gateway/media/profile-pictures.ts'
import { validate } from '#simulator/gateway/validation.ts'
import type { World } from '#simulator/world/world.ts'

function profilePicture(world: World, { instance, body }: Call): Answer {
  validate(body, profileSchema)
  const { number } = body as Partial<NumberBody>
  const phone = number === undefined ? undefined : findPhone(world, number)
  const wuid = number === undefined ? phoneJid(instance.ownerNumber ?? '') : createJid(number)
  const profilePictureUrl = phone && instance.state === 'open' ? pictureOf(world, phone) : null
  return { status: 200, body: { wuid, profilePictureUrl } }
}

/** The call about a contact. */
export function contactRoutes(routes: Routes, world: World): void {
  routes.onInstance('POST', '/chat/fetchProfilePictureUrl', (call) => profilePicture(world, call))
}
