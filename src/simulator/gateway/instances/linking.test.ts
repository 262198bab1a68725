import { beforeEach, describe, expect, it } from 'vitest'
import { createManualClock } from '#simulator/world/clock.ts'
import { type Answer, benchForEachTest } from '#simulator/test-receiver.ts'

/** QR codes and pairing codes with realistic delays, on a manual clock. */

const time = createManualClock(Date.UTC(2026, 10, 20, 12))
const real = { createWaitMs: 5000, connectWaitMs: 2000, qrDelayMs: 300, qrLimit: 3 }
const { control, call, posted, restart } = benchForEachTest({ clock: time, ...real })
beforeEach(async () => {
  await call('DELETE', '/instance/logout/loja1')
})

/** Advances the clock until the call answers; returns by how much. */
async function during(calling: Promise<Answer>): Promise<{ answer: Answer; tookMs: number }> {
  let answer: Answer | undefined
  void calling.then((got) => (answer = got))
  const from = time.now()
  await expect
    .poll(
      async () => {
        if (!answer) await time.advance(100)
        return answer !== undefined
      },
      { interval: 1, timeout: 10_000 },
    )
    .toBe(true)
  return { answer: await calling, tookMs: time.now() - from }
}
function codes() {
  return posted('qrcode.updated')
}
async function stateNow() {
  return (await call('GET', '/instance/connectionState/loja1')).body.instance.state
}

describe('connect', () => {
  it('the gateway waits two seconds and answers the first code', async () => {
    const { answer, tookMs } = await during(call('GET', '/instance/connect/loja1'))
    // Timers may fire a millisecond early by another clock.
    expect(tookMs).toBeGreaterThanOrEqual(1990)
    expect(answer.body).toMatchObject({ pairingCode: null, count: 1 })
    expect(answer.body.base64).toMatch(/^data:image\/png;base64,/)
    const again = await call('GET', '/instance/connect/loja1')
    expect(again.body.code).toBe(answer.body.code)
  })

  it('the gateway gives a pairing code to a number, another with each QR code', async () => {
    const { answer } = await during(call('GET', '/instance/connect/loja1?number=5511955554444'))
    expect(answer.body.pairingCode).toMatch(/^[1-9A-Z]{8}$/)
    await time.advance(45_000)
    const second = await call('GET', '/instance/connect/loja1')
    expect(second.body.count).toBe(2)
    expect(second.body.pairingCode).not.toBe(answer.body.pairingCode)
    expect(second.body.code).not.toBe(answer.body.code)
  })

  it('the gateway gives up after so many codes', async () => {
    await during(call('GET', '/instance/connect/loja1'))
    for (let turn = 0; turn < 2; turn += 1) await time.advance(45_000)
    expect(await stateNow()).toBe('connecting')
    await time.advance(45_000)
    expect(await stateNow()).toBe('close')
    await expect.poll(() => codes().length).toBe(4)
    expect(codes().at(-1)).toEqual({ message: 'QR code limit reached, please login again', statusCode: 500 })
    await expect.poll(() => posted('connection.update').at(-1)?.['state']).toBe('refused')
    await time.advance(90_000)
    expect(codes()).toHaveLength(4)
    const { answer } = await during(call('GET', '/instance/connect/loja1'))
    expect(answer.body.count).toBe(1)
  })

  it('the gateway makes no new code once one was scanned', async () => {
    await during(call('GET', '/instance/connect/loja1'))
    control.scan()
    await time.advance(100_000)
    expect(await stateNow()).toBe('open')
    await expect.poll(() => codes().length).toBe(1)
  })
})

describe('create', () => {
  it('the gateway waits five seconds for a code', async () => {
    const body = { instanceName: 'x', integration: 'WHATSAPP-BAILEYS', qrcode: true, number: '5511933332222' }
    const { answer, tookMs } = await during(call('POST', '/instance/create', body))
    expect(tookMs).toBeGreaterThanOrEqual(5000)
    expect(answer.body.qrcode).toMatchObject({ count: 1 })
    expect(answer.body.qrcode.pairingCode).toHaveLength(8)
  })
})

it('the gateway answers no code while none has come', async () => {
  await restart({ qrDelayMs: 60_000 })
  await call('DELETE', '/instance/logout/loja1')
  expect((await call('GET', '/instance/connect/loja1')).body).toEqual({ count: 0 })
})

it('the gateway logs out again and again in 2.4', async () => {
  expect((await call('DELETE', '/instance/logout/loja1')).status).toBe(400)
  control.setVersion('2.4')
  expect((await call('DELETE', '/instance/logout/loja1')).status).toBe(200)
})
