import { describe, expect, it } from 'vitest'
import { benchForEachTest, maria, refusal } from '#simulator/test-receiver.ts'

/** Refusals and oddities of Evolution 2.3.7 over HTTP. */

const { control, receiver, call, post } = benchForEachTest()

const jid = `${maria.number}@s.whatsapp.net`

describe('guards', () => {
  it('the gateway says its version without a key', async () => {
    const { status, body } = await call('GET', '/', undefined, null)
    expect([status, body.version]).toEqual([200, '2.3.7'])
  })

  it('the gateway asks whether the instance exists before it looks at the key', async () => {
    const unknown = await call('GET', '/instance/connectionState/nada', undefined, 'wrong')
    expect(unknown).toEqual(refusal(404, 'Not Found', ['The "nada" instance does not exist']))
    for (const key of [null, 'wrong'])
      expect(await call('GET', '/instance/connectionState/loja1', undefined, key)).toEqual(
        refusal(401, 'Unauthorized', 'Unauthorized'),
      )
    expect(
      (await call('GET', '/instance/connectionState/loja1?apikey=global-key', undefined, null)).status,
    ).toBe(401)
  })

  it('the gateway takes the instance token for its own routes, and shows it itself alone', async () => {
    await call('POST', '/instance/create', {
      instanceName: 'loja2',
      integration: 'WHATSAPP-BAILEYS',
      token: 't2',
    })
    expect((await call('GET', '/instance/connectionState/loja2', undefined, 't2')).status).toBe(200)
    expect((await call('GET', '/instance/connectionState/loja1', undefined, 't2')).status).toBe(401)
    const { body } = await call('GET', '/instance/fetchInstances', undefined, 't2')
    expect(body.map((row: { name: string }) => row.name)).toEqual(['loja2'])
    expect((await call('GET', '/instance/fetchInstances')).body).toHaveLength(2)
  })

  it('the gateway answers malformed JSON and unknown paths in their own shapes', async () => {
    const broken = await post('message/sendText', '{"number": "55')
    expect(broken.status).toBe(400)
    expect(broken.body).toMatchObject({ status: 400, error: 'Internal Server Error' })
    expect(typeof broken.body.response.message).toBe('string')
    expect((await call('GET', '/nada')).body.response.message).toEqual(['Cannot GET /nada'])
  })
})

describe('instances', () => {
  const create = (body: Record<string, unknown>) => call('POST', '/instance/create', body)

  it('the gateway refuses a taken or absent name with 403, before the key', async () => {
    const taken = await call('POST', '/instance/create', { instanceName: 'loja1' }, 'wrong')
    expect(taken).toEqual(refusal(403, 'Forbidden', ['This name "loja1" is already in use.']))
    expect((await create({})).body.response.message).toEqual(['This name "undefined" is already in use.'])
  })

  it('the gateway needs an integration, and events in the webhook', async () => {
    expect((await create({ instanceName: 'x' })).body.response.message).toEqual(['Invalid integration'])
    const webhook = { enabled: true, url: 'https://x.test' }
    const answer = await create({ instanceName: 'x', integration: 'WHATSAPP-BAILEYS', webhook })
    expect(answer).toEqual(
      refusal(400, 'Bad Request', ["Cannot read properties of undefined (reading 'length')"]),
    )
    expect((await call('GET', '/webhook/find/x')).status).toBe(404)
  })

  it('the gateway looks at no flat webhook', async () => {
    const flat = { webhookUrl: 'https://x.test', webhookEvents: ['MESSAGES_UPSERT'] }
    const made = await create({ instanceName: 'x', integration: 'WHATSAPP-BAILEYS', ...flat })
    expect(made.status).toBe(201)
    expect((await call('GET', '/webhook/find/x')).body).toBeNull()
  })

  it('the gateway makes one with a QR code, and opens it when the code is scanned', async () => {
    const { status, body } = await create({
      instanceName: 'x',
      integration: 'WHATSAPP-BAILEYS',
      qrcode: true,
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      instance: { status: 'connecting' },
      qrcode: { count: 1, pairingCode: null },
    })
    expect(typeof body.hash).toBe('string')
    expect(body.qrcode.base64).toMatch(/^data:image\/png;base64,/)
    const never = await call('POST', '/message/sendText/x', { number: maria.number, text: 'a' })
    expect(never.body.response.message[0]).toMatch(/^TypeError/)
    control.scan('x')
    expect((await call('GET', '/instance/connect/x')).body.instance.state).toBe('open')
  })

  it('the gateway logs out once, and reports failed connections with 200', async () => {
    expect((await call('DELETE', '/instance/logout/loja1')).body.status).toBe('SUCCESS')
    const again = await call('DELETE', '/instance/logout/loja1')
    expect(again).toEqual(refusal(400, 'Bad Request', ['The "loja1" instance is not connected']))
    const restart = await call('POST', '/instance/restart/loja1')
    expect(restart).toEqual({ status: 200, body: { error: true, message: '[object Object]' } })
    const qr = await call('GET', '/instance/connect/loja1?number=5511955554444')
    expect(qr.body.pairingCode).toHaveLength(8)
    expect((await call('GET', '/instance/connect/loja1')).body.code).toBe(qr.body.code)
  })

  it('a restarted instance still answers open, drops its socket and opens it without a close', async () => {
    const { body } = await call('POST', '/instance/restart/loja1')
    expect(body).toEqual({ instance: { instanceName: 'loja1', state: 'open' } })
    const found = await receiver.until('connection.update', 2)
    expect(found.map((one) => one.body.data['state'])).toEqual(['connecting', 'open'])
  })

  it('the gateway answers 404 for a named instance that is not there', async () => {
    expect((await call('GET', '/instance/fetchInstances?instanceName=nada')).status).toBe(404)
  })
})

describe('webhook settings', () => {
  it('the webhook of an instance is null until set, nested, and requires events', async () => {
    await call('POST', '/instance/create', { instanceName: 'x', integration: 'WHATSAPP-BAILEYS' })
    expect(await call('GET', '/webhook/find/x')).toEqual({ status: 200, body: null })
    const flat = await call('POST', '/webhook/set/x', { enabled: true, url: 'https://a.test' })
    expect(flat).toEqual(refusal(400, 'Bad Request', [['instance requires property "webhook"']]))
    const noEvents = await call('POST', '/webhook/set/x', {
      webhook: { enabled: true, url: 'https://a.test' },
    })
    expect(noEvents).toEqual(
      refusal(500, 'Internal Server Error', "Cannot read properties of undefined (reading 'length')"),
    )
    const empty = await call('POST', '/webhook/set/x', {
      webhook: { enabled: true, url: '', events: [] },
    })
    expect(empty.status).toBe(400)
    const unknown = await call('POST', '/webhook/set/x', {
      webhook: { enabled: true, url: 'https://a.test', events: ['X'] },
    })
    expect(unknown.body.response.message[0][0]).toMatch(
      /^webhook.events\[0\] is not one of enum values: APPLICATION_STARTUP,/,
    )
  })

  it('the gateway keeps the headers that are not sent again', async () => {
    const webhook = {
      enabled: true,
      url: 'https://a.test',
      events: [],
      headers: { authorization: 'Bearer x' },
    }
    const set = await post('webhook/set', { webhook })
    expect(set.status).toBe(201)
    await post('webhook/set', {
      webhook: { enabled: true, url: 'https://b.test', events: [] },
    })
    const { body } = await call('GET', '/webhook/find/loja1')
    expect(body).toMatchObject({
      url: 'https://b.test',
      headers: { authorization: 'Bearer x' },
      webhookByEvents: false,
    })
  })
})

describe('numbers', () => {
  const sendText = (body: Record<string, unknown>) => post('message/sendText', body)

  it('the gateway refuses what its schema refuses, as a list in a list', async () => {
    expect(await sendText({ number: maria.number })).toEqual(
      refusal(400, 'Bad Request', [['instance requires property "text"']]),
    )
    expect(await sendText({ number: 5511987654321, text: 'a' })).toEqual(
      refusal(400, 'Bad Request', [['Invalid format']]),
    )
    expect(await sendText({ number: maria.number, text: '  ' })).toEqual(
      refusal(400, 'Bad Request', ['Text is required']),
    )
    expect((await sendText({ number: maria.number, text: 'a', delay: 1.5 })).body.response.message).toEqual([
      ['Enter a value in milliseconds'],
    ])
  })

  it('the gateway says when a number is not on WhatsApp', async () => {
    const number = '5521999990000'
    const message = [{ jid: `${number}@s.whatsapp.net`, exists: false, number }]
    expect(await sendText({ number, text: 'a' })).toEqual(refusal(400, 'Bad Request', message))
    control.changePhone('maria', { onWhatsApp: false })
    expect((await sendText({ number: maria.number, text: 'a' })).status).toBe(400)
  })

  it('the gateway finds a phone with and without the 9th digit and answers its own jid', async () => {
    control.createPhone({ id: 'rio', name: 'Rio', number: '552188887777' })
    for (const number of ['5521988887777', '552188887777', '+55 (21) 98888-7777'])
      expect((await sendText({ number, text: number })).body.key.remoteJid).toBe(
        '552188887777@s.whatsapp.net',
      )
    // Of a jid it asks for exactly that one.
    const other = '5521988887777@s.whatsapp.net'
    const refused = await sendText({ number: other, text: 'a' })
    expect(refused).toMatchObject({
      status: 400,
      body: { response: { message: [{ exists: false, jid: other, number: other }] } },
    })
    expect((await sendText({ number: '551187654321', text: 'a' })).body.key.remoteJid).toBe(jid)
  })

  it('the gateway answers to a LID, also to one nobody has', async () => {
    const [phone] = control.phones()
    const { body } = await sendText({ number: `${phone?.lid}@lid`, text: 'para o LID' })
    expect(body.key.remoteJid).toBe(`${phone?.lid}@lid`)
    expect(control.oracle().received.at(-1)?.text).toBe('para o LID')
    expect((await sendText({ number: '99999@lid', text: 'a' })).status).toBe(201)
    expect(control.oracle().received).toHaveLength(1)
  })

  it('the gateway waits as long as the delay says, typing on the phone meanwhile', async () => {
    const started = performance.now()
    const sending = sendText({ number: maria.number, text: 'a', delay: 80 })
    await expect.poll(() => control.phones()[0]?.companyPresence).toBe('composing')
    await sending
    expect(performance.now() - started).toBeGreaterThanOrEqual(75)
    expect(control.phones()[0]?.companyPresence).toBe('available')
  })
})
