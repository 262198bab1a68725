import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { colourPng } from '#simulator/gateway/png.ts'
import type { Phone } from '#simulator/world/state.ts'
import type { World } from '#simulator/world/world.ts'

/** Profile pictures of phones: generated from the number and served by the gateway. */

const cells = 5
const cellPixels = 24

const picturePath = '/_pictures'

/** Numbers with this ending hide their picture. */
const hidden = /[08]$/

/** The picture's URL as fetchProfilePictureUrl answers it; null when hidden. */
export function pictureOf(world: World, phone: Phone): string | null {
  return hidden.test(phone.number) ? null : `${world.serverUrl()}${picturePath}/${phone.number}.png`
}

/** A mirrored pattern generated from the digits. */
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

/** Serves the pictures without a key, as WhatsApp's own URLs do. */
export function pictureRoute(app: FastifyInstance): void {
  app.get<{ Params: { number: string } }>(`${picturePath}/:number.png`, (request, reply) =>
    reply.type('image/png').send(drawPicture(request.params.number)),
  )
}
