import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { colourPng } from '#simulator/gateway/png.ts'
import type { Phone } from '#simulator/world/state.ts'
import type { World } from '#simulator/world/world.ts'

/** Profile pictures of phones: generated from the number and served by the gateway. */

const picturePath = '/_pictures'

/** Numbers with this ending hide their picture. */
const hidden = /[08]$/

/** The picture's URL as fetchProfilePictureUrl answers it; null when hidden. */
export function pictureOf(world: World, phone: Phone): string | null {
  return hidden.test(phone.number) ? null : `${world.serverUrl()}${picturePath}/${phone.number}.png`
}

type Colour = readonly [red: number, green: number, blue: number]

const sidePixels = 120
/** Averaged for each pixel in both directions, for soft edges. */
const samples = 3

/** Muted: they stand beside text, in a light and in a dark interface. */
const grounds: readonly Colour[] = [
  [138, 165, 160],
  [160, 147, 126],
  [131, 147, 173],
  [166, 138, 136],
  [142, 157, 125],
  [152, 139, 165],
]
const skins: readonly Colour[] = [
  [226, 186, 158],
  [203, 152, 118],
  [161, 113, 84],
  [112, 78, 58],
]
const hairs: readonly Colour[] = [
  [43, 35, 33],
  [82, 58, 43],
  [137, 100, 64],
  [152, 148, 143],
]
const clothes: readonly Colour[] = [
  [62, 92, 110],
  [112, 74, 82],
  [72, 104, 86],
  [88, 88, 118],
  [145, 118, 82],
]

/** A portrait whose colours and hair follow from the digits. */
function drawPicture(number: string): Buffer {
  const hash = createHash('sha256').update(number).digest()
  const pick = (from: readonly Colour[], at: number): Colour =>
    from[(hash[at] ?? 0) % from.length] ?? [0, 0, 0]
  const [ground, skin, hair, cloth] = [pick(grounds, 0), pick(skins, 1), pick(hairs, 2), pick(clothes, 3)]
  const hairEnds = [0.4, 0.48, 0.62][(hash[4] ?? 0) % 3] ?? 0.4
  const fringe = 0.28 + ((hash[5] ?? 0) % 4) / 50

  /** @param x @param y 0 to 1 */
  const colourAt = (x: number, y: number): Colour => {
    const isIn = (middleY: number, width: number, height: number) =>
      ((x - 0.5) / width) ** 2 + ((y - middleY) / height) ** 2 < 1
    if (isIn(0.42, 0.155, 0.195) && y > fringe) return skin
    if (isIn(0.98, 0.35, 0.3)) return cloth
    if (Math.abs(x - 0.5) < 0.065 && y > 0.5 && y < 0.72) return shaded(skin, 0.9)
    if (isIn(0.4, 0.19, 0.235) && y < hairEnds) return hair
    return shaded(ground, 1.06 - 0.2 * y)
  }
  return colourPng(sidePixels, sidePixels, (x, y) => {
    const sum: [number, number, number] = [0, 0, 0]
    for (let n = 0; n < samples * samples; n += 1) {
      const [inX, inY] = [(n % samples) + 0.5, Math.floor(n / samples) + 0.5]
      const one = colourAt((x + inX / samples) / sidePixels, (y + inY / samples) / sidePixels)
      for (const channel of [0, 1, 2] as const) sum[channel] += one[channel] / samples ** 2
    }
    return sum
  })
}

const shaded = ([red, green, blue]: Colour, by: number): Colour => [red * by, green * by, blue * by]

/** Serves the pictures without a key, as WhatsApp's own URLs do. */
export function pictureRoute(app: FastifyInstance): void {
  app.get<{ Params: { number: string } }>(`${picturePath}/:number.png`, (request, reply) =>
    reply.type('image/png').send(drawPicture(request.params.number)),
  )
}
