import { describe, expect, it } from 'vitest'
import { benchForEachTest, maria } from '#simulator/test-receiver.ts'

/** Sends that go wrong: the caller's answer, what the phone receives, which webhooks follow. */

const { control, receiver, simulator, post, sendText, posted } = benchForEachTest()

function send(text = 'oi') {
  return sendText(text)
}
function received() {
  return control.oracle().received
}
function count(event: string) {
  return posted(event).length
}

describe('a plain send', () => {
  it('a plain send is on the phone and in the oracle before the answer', async () => {
    const { status, body } = await send()
    expect(status).toBe(201)
    expect(received()).toMatchObject([
      { waId: body.key.id, text: 'oi', fromConsole: true, times: 1, phone: 'maria' },
    ])
    expect(control.phones()[0]?.unread).toBe(1)
  })

  it('a plain send is read at once by a phone that reads on its own, and heard when played', async () => {
    control.changePhone('maria', { autoRead: true })
    const { body } = await post('message/sendWhatsAppAudio', {
      number: maria.number,
      audio: 'T2dnUw==',
    })
    await receiver.until('messages.update', 3)
    control.played('maria', body.key.id)
    const found = await receiver.until('messages.update', 4)
    expect(found.map((one) => one.body.data['status'])).toEqual([
      'SERVER_ACK',
      'DELIVERY_ACK',
      'READ',
      'PLAYED',
    ])
    expect(control.chat('maria')[0]?.ack).toBe('played')
  })
})

describe('switches', () => {
  it('the gateway answers 500 without delivering, or after it', async () => {
    control.setFaults({ answer500: { on: true, oneIn: 1 } })
    expect(await send()).toEqual({
      status: 500,
      body: { status: 500, error: 'Internal Server Error', response: { message: 'Internal Server Error' } },
    })
    expect(received()).toHaveLength(0)
    control.setFaults({ answer500: { delivered: true } })
    expect((await send('chegou')).status).toBe(500)
    expect(received()).toMatchObject([{ text: 'chegou' }])
    await receiver.until('send.message')
    await receiver.until('messages.update', 2)
  })

  it('the gateway hangs after it has delivered a message', async () => {
    control.setFaults({ timeoutDelivered: { on: true, oneIn: 1, hangMs: 80 } })
    const sending = send()
    await expect.poll(() => received().length).toBe(1)
    const [echo] = await receiver.until('send.message')
    const { status, body } = await sending
    expect(status).toBe(201)
    expect(echo?.body.data['key']).toEqual(body.key)
  })

  it('the gateway hangs without delivering and says so in the end', async () => {
    control.setFaults({ timeoutNotDelivered: { on: true, oneIn: 1, hangMs: 30 } })
    const { status, body } = await send()
    expect([status, body.response.message]).toEqual([400, ['Error: Timed Out']])
    await control.idle()
    expect([received().length, count('send.message')]).toEqual([0, 0])
  })

  it('the gateway hangs no longer than the simulator lives', async () => {
    control.setFaults({ timeoutDelivered: { on: true, oneIn: 1 } })
    const sending = send().catch(() => 'cut')
    await expect.poll(() => received().length).toBe(1)
    await simulator.close()
    expect(await sending).toBe('cut')
  })
})

describe('scripted answers', () => {
  it('the gateway wins over the switches, one answer a send, then all is as before', async () => {
    control.setFaults({ answer500: { on: true, oneIn: 1 } })
    control.nextSendAnswers([{}, { status: 413, body: { error: 'grande' } }])
    expect((await send('um')).status).toBe(201)
    expect(await send('dois')).toEqual({ status: 413, body: { error: 'grande' } })
    expect((await send('três')).status).toBe(500)
    expect(received().map(({ text }) => text)).toEqual(['um'])
  })

  it('the gateway keeps an answer for the text that it is meant for', async () => {
    control.nextSendAnswers([{ status: 413, text: 'dois' }, { status: 500 }])
    expect((await send('um')).status).toBe(500)
    expect((await send('três')).status).toBe(201)
    expect((await send('dois')).status).toBe(413)
    expect((await send('dois')).status).toBe(201)
  })

  it('the gateway posts the echo before the answer when told so', async () => {
    control.nextSendAnswers([{ echo: 'early' }])
    await send()
    expect(count('send.message')).toBe(1)
  })

  it('the gateway delivers and denies it: nothing is stored, told or acknowledged', async () => {
    control.nextSendAnswers([{ status: 400, delivered: true, echo: 'never' }])
    expect((await send()).status).toBe(400)
    await control.idle()
    expect(received()).toHaveLength(1)
    const { body } = await post('chat/findMessages', { where: {} })
    expect([body.messages.total, count('send.message'), count('messages.update')]).toEqual([0, 0, 0])
  })

  it('the gateway answers 201 for what WhatsApp refuses afterwards', async () => {
    control.nextSendAnswers([{ delivered: false, acks: 'error' }])
    expect((await send()).status).toBe(201)
    const [posted] = await receiver.until('messages.update')
    expect(posted?.body.data['status']).toBe('ERROR')
    expect(received()).toHaveLength(0)
  })

  it('the gateway sends one request several times, each with an id of its own', async () => {
    control.nextSendAnswers([{ copies: 2 }])
    await send('dobro')
    await receiver.until('send.message', 2)
    const ids = received().map(({ waId }) => waId)
    expect(new Set(ids).size).toBe(2)
    expect(received().map(({ text }) => text)).toEqual(['dobro', 'dobro'])
  })
})

describe('an answer that does not come whole', () => {
  const raw = (text: string) =>
    fetch(`${simulator.url}/message/sendText/loja1`, {
      method: 'POST',
      headers: { apikey: simulator.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ number: maria.number, text }),
    })

  it('a broken answer hangs up before a byte of it, and the phone has the message', async () => {
    control.nextSendAnswers([{ cut: 'before' }])
    await expect(raw('oi')).rejects.toThrow('fetch failed')
    expect(received()).toHaveLength(1)
  })

  it('a broken answer hangs up within its body', async () => {
    control.nextSendAnswers([{ cut: 'within' }])
    const answer = await raw('oi')
    expect(answer.status).toBe(201)
    await expect(answer.text()).rejects.toThrow('terminated')
  })

  it('a broken answer is the page of a proxy when the script gives a text', async () => {
    control.nextSendAnswers([{ status: 502, body: '<html>502</html>' }])
    const answer = await raw('oi')
    expect(answer.headers.get('content-type')).toContain('text/html')
    expect(await answer.text()).toBe('<html>502</html>')
  })
})

describe('phones', () => {
  it('the gateway adds nothing for an id it has seen', async () => {
    const first = control.sendText('maria', 'oi', 'CLIENTE1')
    expect(control.sendText('maria', 'oi', 'CLIENTE1').id).toBe(first.id)
    const reaction = { messageId: 'CLIENTE1', emoji: '👍', id: 'CLIENTE2' }
    control.react('maria', reaction)
    control.react('maria', reaction)
    control.remove('maria', 'CLIENTE1')
    control.remove('maria', 'CLIENTE1')
    await control.idle()
    expect(count('messages.upsert')).toBe(2)
    expect(count('messages.delete')).toBe(1)
    expect(control.oracle().written).toHaveLength(2)
    control.createPhone({ id: 'ana', name: 'Ana' })
    expect(() => control.sendText('ana', 'oi', 'CLIENTE1')).toThrow('Outra mensagem tem este id')
  })

  it('the gateway makes a phone a number of its own and refuses one that is taken', () => {
    const phone = control.createPhone({ name: 'Zé', lidOnly: true })
    expect(phone.number).toMatch(/^55119\d{8}$/)
    expect(phone.identity).toBe('lid-only')
    expect(() => control.createPhone({ name: 'Outro', number: phone.number })).toThrow('Já existe um celular')
  })

  it('the gateway counts a history as neither written nor received', () => {
    const messages = [
      { from: 'phone' as const, text: 'Olá', at: '2026-11-01T12:00:00.000Z' },
      { from: 'company' as const, text: 'Oi', at: '2026-11-01T12:01:00.000Z' },
    ]
    control.importHistory('maria', { messages })
    expect(control.importHistory('maria', { messages }).map(({ text }) => text)).toEqual(['Olá', 'Oi'])
    expect(control.oracle()).toMatchObject({ written: [], received: [] })
    expect(control.state().counters).toMatchObject({ written: 0, accepted: 0 })
  })
})
