import { inflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { benchForEachTest, maria } from '#simulator/test-receiver.ts'

/** The calls about contacts, chats, media and the gateway itself. */

const { control, receiver, post } = benchForEachTest()

const jid = `${maria.number}@s.whatsapp.net`
function chat(action: string, body: object) {
  return post(`chat/${action}`, body)
}
const nobody = { jid: '5511900000000@s.whatsapp.net', exists: false, number: '5511900000000' }

/** The pixels of a picture of the simulator, row by row as red, green and blue. */
function pixelsOf(png: Buffer): { side: number; pixels: number[][] } {
  const side = png.readUInt32BE(16)
  // Signature and header take 33 bytes; then comes the only block of data, in lines without a filter.
  const lines = inflateSync(png.subarray(41, 41 + png.readUInt32BE(33)))
  const at = (index: number) => 1 + Math.floor(index / side) * (1 + side * 3) + (index % side) * 3
  const pixels = Array.from({ length: side * side }, (_, index) => [
    ...lines.subarray(at(index), at(index) + 3),
  ])
  return { side, pixels }
}

describe('people', () => {
  it('the gateway has a picture of nearly everybody, the same every time, for everybody to see', async () => {
    const { body } = await chat('fetchProfilePictureUrl', { number: maria.number })
    expect(body.wuid).toBe(jid)
    const [first, second] = await Promise.all(
      [1, 2].map(async () => Buffer.from(await (await fetch(body.profilePictureUrl)).arrayBuffer())),
    )
    expect(first?.subarray(1, 4).toString()).toBe('PNG')
    expect(first).toEqual(second)
    control.createPhone({ id: 'ana', name: 'Ana', number: '5511966665555' })
    const ana = await chat('fetchProfilePictureUrl', { number: '5511966665555' })
    const anaPicture = await fetch(ana.body.profilePictureUrl)
    expect(Buffer.from(await anaPicture.arrayBuffer())).not.toEqual(first)
    control.createPhone({ id: 'eva', name: 'Eva', number: '5511966665550' })
    const hidden = await chat('fetchProfilePictureUrl', { number: '5511966665550' })
    expect(hidden.body.profilePictureUrl).toBeNull()
    const none = await chat('fetchProfilePictureUrl', { number: nobody.number })
    expect(none).toEqual({ status: 200, body: { wuid: nobody.jid, profilePictureUrl: null } })
  })

  it('profile pictures are muted portraits in a few quiet colours', async () => {
    const { body } = await chat('fetchProfilePictureUrl', { number: maria.number })
    for (let n = 11; n < 20; n += 1) {
      const answer = await fetch(body.profilePictureUrl.replace(maria.number, `55119666655${n}`))
      const { side, pixels } = pixelsOf(Buffer.from(await answer.arrayBuffer()))
      const chroma = (colour: number[]) => Math.max(...colour) - Math.min(...colour)
      expect(Math.max(...pixels.map(chroma))).toBeLessThan(95)
      // The upper corners are the ground, beside text in a light and in a dark interface.
      for (const corner of [pixels[0], pixels[side - 1]]) {
        expect(chroma(corner ?? [])).toBeLessThan(50)
        expect(Math.abs(Math.max(...(corner ?? [])) - 150)).toBeLessThan(40)
      }
      const [red = 0, green = 0, blue = 0] = pixels[Math.floor(side * 0.45) * side + side / 2] ?? []
      expect(red > green && green > blue).toBe(true)
      const coarse = pixels.map((colour) => colour.map((value) => value >> 5).join())
      expect(new Set(coarse).size).toBeLessThan(24)
    }
  })
})

describe('media', () => {
  const bytes = 'QUJDRA=='
  const ask = (message: unknown, more: object = {}) => chat('getBase64FromMediaMessage', { message, ...more })

  it('media is found by the whole data of a webhook, wrapped or not', async () => {
    for (const wrap of [[], ['ephemeral'], ['viewOnceV2', 'ephemeral']] as const)
      control.send('maria', { kind: 'image', base64: bytes, caption: 'foto', wrap: [...wrap] })
    const found = await receiver.until('messages.upsert', 3)
    for (const { body } of found) {
      const answer = await ask(body.data)
      expect(answer.body).toMatchObject({ mediaType: 'imageMessage', base64: bytes, caption: 'foto' })
    }
    control.send('maria', { kind: 'text', text: 'oi', wrap: 'ephemeral' })
    const texts = await receiver.until('messages.upsert', 4)
    expect((await ask(texts[3]?.body.data)).body.response.message).toEqual([
      'The message is not of the media type',
    ])
  })

  it('the gateway turns a voice message into mp4, but for its name', async () => {
    control.send('maria', { kind: 'audio', base64: bytes, id: 'VOZ' })
    const plain = await ask({ key: { id: 'VOZ' } })
    expect(plain.body).toMatchObject({ fileName: 'VOZ.oga', mimetype: 'audio/ogg; codecs=opus' })
    const { body } = await ask({ key: { id: 'VOZ' } }, { convertToMp4: true })
    expect(body).toMatchObject({ fileName: 'VOZ.oga', mimetype: 'audio/mp4', size: { fileLength: '4' } })
  })

  it('the gateway knows a round video by its type', async () => {
    control.send('maria', { kind: 'video', base64: bytes, round: true, id: 'RODA' })
    expect((await ask({ key: { id: 'RODA' } })).body.mediaType).toBe('ptvMessage')
  })

  it('the gateway tries a failed media twice', async () => {
    control.send('maria', { kind: 'image', base64: bytes, id: 'IMG' })
    control.setFaults({ failMedia: { on: true, oneIn: 1 } })
    expect((await ask({ key: { id: 'IMG' } })).status).toBe(400)
    const lines = control.log().filter(({ kind }) => kind === 'falha')
    expect(lines.filter(({ name }) => name === 'Perder mídia').map(({ result }) => result)).toEqual([
      'ligada',
      'não baixada',
      'não baixada',
    ])
  })
})
