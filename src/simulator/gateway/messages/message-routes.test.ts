import { createServer, type Server } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { recorded, shapeOf } from '#simulator/webhooks/recorded-bodies.ts'
import { type Answer, benchForEachTest, maria } from '#simulator/test-receiver.ts'

/** Every send call besides text: what reaches the phone, and how each is refused. */

const { control, receiver, simulator, post } = benchForEachTest({ mediaTimeoutMs: 1500 })

const bytes = Buffer.from('not really a picture').toString('base64')
function send(action: string, body: object): Promise<Answer> {
  return post(`message/${action}`, { number: maria.number, ...body })
}
function bubbles() {
  return control.chat('maria')
}
function messageOf({ body }: Answer) {
  return body.response.message
}

describe('kinds', () => {
  it('the gateway ignores what a voice message quotes, until 2.4', async () => {
    control.sendText('maria', 'oi', 'AC1')
    const voice = { audio: bytes, quoted: { key: { id: 'AC1' } } }
    expect((await send('sendWhatsAppAudio', voice)).body.contextInfo.stanzaId).toBeUndefined()
    control.setVersion('2.4')
    expect((await send('sendWhatsAppAudio', voice)).body.contextInfo.stanzaId).toBe('AC1')
  })

  it('the gateway sends to a group, which no phone here is in, and mentions only there', async () => {
    const words = { text: 'oi @5511987654321', mentioned: ['5511987654321'] }
    await send('sendText', { number: '120363042345678901@g.us', ...words })
    const [echo] = await receiver.until('send.message')
    expect(shapeOf(echo?.body)).toEqual(shapeOf(recorded('send.message.group')))
    expect(echo?.body.data).toMatchObject({
      key: { remoteJid: '120363042345678901@g.us' },
      contextInfo: { mentionedJid: ['5511987654321@s.whatsapp.net'] },
    })
    expect((await send('sendText', words)).body.contextInfo.mentionedJid).toEqual([])
    expect(control.oracle().received).toHaveLength(1)
  })
})

describe('media by address', () => {
  let server: Server
  let url: string
  beforeEach(async () => {
    server = createServer((request, response) => {
      if (request.url === '/slow.png') return
      if (request.url === '/gone.png') response.writeHead(404).end()
      else if (request.url === '/moved.png') response.writeHead(302, { location: '/foto.png' }).end()
      else response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.from(bytes, 'base64'))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  })
  afterEach(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  const sendMedia = (media: string, more: object = {}) =>
    send('sendMedia', { mediatype: 'image', media, ...more })

  it('media is fetched from its address, across redirects', async () => {
    for (const path of ['/foto.png', '/moved.png']) {
      const { body } = await sendMedia(`${url}${path}`, { caption: 'foto' })
      expect(control.media(body.key.id)?.base64).toBe(bytes)
    }
    const { body } = await sendMedia(`${url}/boleto.pdf`, { mediatype: 'document' })
    expect(body.message.documentMessage).toMatchObject({
      fileName: 'boleto.pdf',
      mimetype: 'application/pdf',
    })
    expect((await send('sendWhatsAppAudio', { audio: `${url}/voz.ogg` })).status).toBe(201)
  })

  it('media by address is refused when it cannot be fetched', async () => {
    const gone = await sendMedia(`${url}/gone.png`)
    expect([gone.status, messageOf(gone)]).toEqual([500, ['Error: Request failed with status code 404']])
    const slow = await sendMedia(`${url}/slow.png`)
    expect([slow.status, messageOf(slow)]).toEqual([500, ['Error: timeout exceeded']])
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    const dead = await sendMedia(`${url}/foto.png`)
    expect(dead.status).toBe(500)
    expect(messageOf(dead)[0]).toMatch(/^Error: connect ECONNREFUSED 127\.0\.0\.1:\d+$/)
    expect(bubbles()).toEqual([])
  })

  it('an address of media whose host has no dot is refused', async () => {
    const port = new URL(url).port
    expect(messageOf(await sendMedia(`http://localhost:${port}/foto.png`))).toEqual([
      'Owned media must be a url or base64',
    ])
  })
})

describe('media as an uploaded file', () => {
  async function upload(fields: Record<string, string>, name = 'file', action = 'sendMedia') {
    const form = new FormData()
    for (const [key, value] of Object.entries({ number: maria.number, ...fields })) form.set(key, value)
    form.set(name, new File([Buffer.from(bytes, 'base64')], 'upload.bin'))
    const answer = await fetch(`${simulator.url}/message/${action}/loja1`, {
      method: 'POST',
      headers: { apikey: simulator.apiKey },
      body: form,
    })
    // oxlint-disable-next-line typescript/no-explicit-any
    return { status: answer.status, body: (await answer.json()) as any }
  }

  it('the gateway takes the field file, and the name from its own field', async () => {
    const fields = { mediatype: 'document', fileName: 'ção.pdf', caption: 'segue' }
    const { status, body } = await upload(fields)
    expect([status, body.message.documentMessage.mimetype]).toEqual([201, 'application/pdf'])
    expect(control.media(body.key.id)?.base64).toBe(bytes)
    expect(bubbles()).toMatchObject([{ text: 'segue', media: { fileName: 'ção.pdf' } }])
    const voice = await upload({}, 'file', 'sendWhatsAppAudio')
    expect(voice.body.messageType).toBe('audioMessage')
  })

  it('the gateway checks the fields, and knows no other file', async () => {
    expect(messageOf(await upload({}))).toEqual([['instance requires property "mediatype"']])
    const other = await upload({ mediatype: 'image' }, 'attachment')
    expect([other.status, messageOf(other)]).toEqual([500, 'Unexpected field'])
  })
})
