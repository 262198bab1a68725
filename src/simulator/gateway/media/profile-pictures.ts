import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { colourPng } from '#simulator/gateway/png.ts'
import type { Phone } from '#simulator/world/state.ts'
import type { World } from '#simulator/world/world.ts'

/** The profile pictures of phones: drawn, the same for the same number, served by the gateway's own port. */

const cells = 5
const cellPixels = 24

const picturePath = '/_pictures'

/** People whose number ends so show their picture to nobody. */
const hidden = /[08]$/

/** The address of a phone's picture, as fetchProfilePictureUrl answers it; null where there is none to be seen. */
export function pictureOf(world: World, phone: Phone): string | null {
  return hidden.test(phone.number) ? null : `${world.serverUrl()}${picturePath}/${phone.number}.png`
}

/** A PNG of a mirrored pattern made from the digits. */
function drawPicture(number: string): Buffer {
  const hash = createHash('sha256').update(number).digest()
  const part = (at: number) => 40 + ((hash[at] ?? 0) % 150)
  const colour: [number, number, number] = [part(0), part(26), part(27)]
  function isDark(x: number, y: number) {
    const mirrored = Math.min(x, cells - 1 - x)
    return (hash[1 + mirrored * cells + y] ?? 0) % 2 === 0
  }
  const pixel = (at: number) => Math.floor(at / cellPixels)
  const side = cells * cellPixels
  return colourPng(side, side, (x, y) => (isDark(pixel(x), pixel(y)) ? colour : [235, 235, 235]))
}

/** Serves the pictures, to everybody: WhatsApp's own addresses ask for no key either. */
export function pictureRoute(app: FastifyInstance): void {
  app.get<{ Params: { number: string } }>(`${picturePath}/:number.png`, (request, reply) =>
    reply.type('image/png').send(drawPicture(request.params.number)),
  )
}
