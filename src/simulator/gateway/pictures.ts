import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { greyPng } from './png.ts'
import type { Phone } from '#simulator/world/state.ts'
import type { World } from '#simulator/world/world.ts'

/** The profile pictures of phones: drawn, the same for the same number, served by the gateway's own port. */

const cells = 5
const cellPixels = 24

const picturePath = '/_pictures'

/** The address of a phone's picture, as fetchProfilePictureUrl answers it. */
export const pictureOf = (world: World, phone: Phone): string =>
  `${world.serverUrl()}${picturePath}/${phone.number}.png`

/** A PNG of a mirrored pattern made from the digits. */
const drawPicture = (number: string): Buffer => {
  const hash = createHash('sha256').update(number).digest()
  const shade = 60 + ((hash[0] ?? 0) % 120)
  const isDark = (x: number, y: number) => {
    const mirrored = Math.min(x, cells - 1 - x)
    return (hash[1 + mirrored * cells + y] ?? 0) % 2 === 0
  }
  const pixel = (at: number) => Math.floor(at / cellPixels)
  return greyPng(cells * cellPixels, (x, y) => (isDark(pixel(x), pixel(y)) ? shade : 235))
}

/** Serves the pictures, to everybody: WhatsApp's own addresses ask for no key either. */
export const pictureRoute = (app: FastifyInstance): void => {
  app.get<{ Params: { number: string } }>(`${picturePath}/:number.png`, (request, reply) =>
    reply.type('image/png').send(drawPicture(request.params.number)),
  )
}
