import { beforeAll, describe, expect, test } from 'vitest'
import type { FirstSteps, GatewayLink } from '#shared/gateway/gateway-link.ts'
import type { EvolutionConfig } from '#shared/gateway/gateway.ts'
import { testAtNight } from '#server/testing/nightly.ts'
import { eventually, forAllTests, refusal, testApp } from '#server/testing/test-app.ts'

const t = forAllTests(testApp)
const admin = forAllTests(() => t.signIn('admin'))

const act = <Body = GatewayLink>(id: number, what: string, body?: unknown) =>
  admin.request<Body>('POST', `/api/evolution-config/${id}/${what}`, body)
const linkOf = (id: number) => admin.get<GatewayLink>(`/api/evolution-config/${id}/link`)
const linkWith = (id: number, isSo: (link: GatewayLink) => boolean) => eventually(() => linkOf(id), isSo)

let names = 0
/** A further number, of which the gateway knows nothing yet. */
async function newNumber(): Promise<{ id: number; name: string }> {
  const name = `loja-nova-${++names}`
  const body = { instanceName: name, baseUrl: t.simulator.url, apiKey: t.simulator.apiKey }
  return { id: (await admin.request<EvolutionConfig>('POST', '/api/evolution-config', body)).body.id, name }
}

const atGateway = async (path: string): Promise<unknown> =>
  (await fetch(`${t.simulator.url}${path}`, { headers: { apikey: t.simulator.apiKey } })).json()

const qrWebhook = (instance: string, code: string, pairingCode: string | null = null) =>
  t.simulator.control.inject({
    event: 'qrcode.updated',
    data: { qrcode: { instance, pairingCode, code, base64: 'data:image/png;base64,AAAA' } },
    instance,
  })

const audited = (id: number) =>
  t.sql<{ action: string; details: Record<string, unknown> }>`
    select action, details from audit_logs where resource_type = 'gateway' and resource_id = ${String(id)}
         order by id desc`

describe('a number that the gateway does not have', () => {
  let number: { id: number; name: string }
  beforeAll(async () => {
    number = await newNumber()
  })

  test('a new number is created with our webhook and its secret, and shows its first code', async () => {
    expect(await linkOf(number.id)).toMatchObject({ code: null, isLinking: false, reason: null })
    const answer = await act(number.id, 'connect', {})
    expect(answer).toMatchObject({
      status: 200,
      body: { state: 'connecting', isLinking: true, code: { count: 1, pairingCode: null } },
    })
    expect(answer.body.code?.text).toMatch(/^2@/)
    expect(await atGateway(`/webhook/find/${number.name}`)).toMatchObject({
      enabled: true,
      url: `${t.app.url}/api/webhook/evolution`,
      headers: { authorization: expect.stringMatching(/^Bearer \S{20,}$/) as string },
      events: expect.arrayContaining(['QRCODE_UPDATED', 'CONNECTION_UPDATE']) as string[],
    })
    expect((await audited(number.id))[0]).toEqual({
      action: 'gateway.connect',
      details: { instanceName: number.name, isCreated: true, isByNumber: false },
    })
  }, 20_000)

  test('the codes that the gateway posts are shown, counted once, and stored encrypted', async () => {
    await qrWebhook(number.name, '2@segundo-codigo', 'ABCD1234')
    await qrWebhook(number.name, '2@segundo-codigo', 'ABCD1234')
    expect(await linkOf(number.id)).toMatchObject({
      code: { text: '2@segundo-codigo', pairingCode: 'ABCD1234', count: 2 },
    })
    const found = await t.sql<{ row: string }>`
      select c::text as row from evolution_api_config c union all select i::text from webhook_inbox i
           union all select e::text from events e union all select a::text from audit_logs a`
    expect(found.filter(({ row }) => row.includes('segundo-codigo') || row.includes('ABCD1234'))).toEqual([])
  })

  test('a number is connected once a phone has scanned its code', async () => {
    t.simulator.control.scan(number.name)
    expect(await linkWith(number.id, ({ state }) => state === 'open')).toMatchObject({
      code: null,
      isLinking: false,
      reason: null,
      number: '5511955554444',
    })
    const [left] = await t.sql<{ code: string | null }>`
      select code_encrypted as code from evolution_api_config where id = ${number.id}`
    expect(left?.code).toBeNull()
    // Asking again changes nothing.
    expect((await act(number.id, 'connect', {})).body).toMatchObject({ state: 'open', code: null })
  })

  test('a number stays connected when webhooks of its codes are delivered late', async () => {
    await qrWebhook(number.name, '2@codigo-atrasado')
    await t.simulator.control.inject({
      event: 'qrcode.updated',
      data: { message: 'QR code limit reached, please login again', statusCode: 500 },
      instance: number.name,
    })
    const [left] = await t.sql<{ code: string | null; linking: string | null }>`
      select code_encrypted as code, linking_at::text as linking from evolution_api_config
           where id = ${number.id}`
    expect(left).toEqual({ code: null, linking: null })
    expect(await linkOf(number.id)).toMatchObject({ state: 'open', reason: null, isLinking: false })
  })

  test('a number reports who ended its session: a phone, or the product', async () => {
    t.simulator.control.endSession(401, number.name)
    const link = await linkWith(number.id, ({ state }) => state === 'close')
    expect(link).toMatchObject({ reason: 'phone', code: null })
    expect(Date.now() - Date.parse(link.reasonAt ?? '')).toBeLessThan(60_000)
    await act(number.id, 'connect', {})
    t.simulator.control.scan(number.name)
    await linkWith(number.id, ({ state }) => state === 'open')
    expect((await act(number.id, 'logout')).body).toMatchObject({ state: 'close', reason: 'us' })
    // What the gateway reports of it, as if the phone had ended it, changes nothing.
    await t.settled()
    expect(await linkOf(number.id)).toMatchObject({ state: 'close', reason: 'us' })
    expect((await audited(number.id))[0]).toMatchObject({ action: 'gateway.logout' })
    // Once more is no error, although the gateway refuses it.
    expect((await act(number.id, 'logout')).status).toBe(200)
  }, 20_000)

  test('a number reports that its codes were not scanned', async () => {
    await act(number.id, 'connect', {})
    const data = { message: 'QR code limit reached, please login again', statusCode: 500 }
    // The gateway itself goes on, so a look at it may say so once more.
    const link = await eventually(
      async () => {
        await t.simulator.control.inject({ event: 'qrcode.updated', data, instance: number.name })
        return linkOf(number.id)
      },
      { reason: 'codes' },
    )
    expect(link).toMatchObject({ state: 'close', reason: 'codes', code: null, isLinking: false })
  }, 20_000)

  test('a pairing code is given for a typed number, also beside a QR code', async () => {
    expect(await act<object>(number.id, 'connect', { number: '12345' })).toMatchObject({
      status: 422,
      body: { code: 'gateway.bad_number', fields: { number: expect.any(String) as string } },
    })
    expect((await act(number.id, 'connect', {})).body.code?.pairingCode).toBeNull()
    const { body } = await act(number.id, 'connect', { number: '(11) 95555-4444' })
    expect(body.code?.pairingCode).toMatch(/^[1-9A-Z]{8}$/)
    expect(body.code?.count).toBe(1)
    expect((await audited(number.id))[0]).toMatchObject({ details: { isByNumber: true, isCreated: false } })
  }, 30_000)

  test('a number linked to no phone is not opened again', async () => {
    await act(number.id, 'logout')
    expect(await act<object>(number.id, 'restart')).toMatchObject(refusal(409, 'gateway.not_linked'))
  })

  test('a number reports that WhatsApp has blocked it', async () => {
    t.simulator.control.scan(number.name)
    await linkWith(number.id, ({ state }) => state === 'open')
    t.simulator.control.endSession(403, number.name)
    await linkWith(number.id, ({ reason }) => reason === 'banned')
  })
})

describe('a number that is connected', () => {
  /** Its state alone does not tell: it is 'open' until the webhook of the closed socket is processed. */
  async function connectedAgainAfter(disconnect: () => Promise<void> | void) {
    const { lastConnectedAt } = await linkOf(t.instanceId)
    await disconnect()
    await linkWith(t.instanceId, (now) => now.state === 'open' && now.lastConnectedAt !== lastConnectedAt)
  }

  test('the connection of a connected number is opened again', async () => {
    await connectedAgainAfter(async () => {
      expect((await act(t.instanceId, 'restart')).status).toBe(200)
    })
    expect((await audited(t.instanceId))[0]).toMatchObject({ action: 'gateway.restart' })
  })

  test('the owner of a number is known also when it was seen open before', async () => {
    await t.sql`
      update evolution_api_config set owner_jid = null, profile_name = null where id = ${t.instanceId}`
    const { instanceName: instance } = t.simulator
    const data = { instance, state: 'open', statusReason: 200, wuid: '5511955554444@s.whatsapp.net' }
    await t.simulator.control.inject({ event: 'connection.update', data, instance })
    await linkWith(t.instanceId, ({ number }) => number === '5511955554444')
  })

  test('a test event reaches the webhook of a number, without a trace in conversations', async () => {
    const { body } = await act<{ isHeard: boolean; tookMs: number; message: string }>(t.instanceId, 'webhook')
    expect(body).toMatchObject({
      isHeard: true,
      message: expect.stringMatching(/foi e voltou em \d+ ms/) as string,
    })
    expect(body.message).toContain(`${body.tookMs} ms`)
    await t.settled()
    const [left] = await t.sql<{ count: number }>`
      select (select count(*) from conversations) + (select count(*) from contacts)
                 + (select count(*) from pending_updates) + (select count(*) from messages)::int as count`
    expect(Number(left?.count)).toBe(0)
    expect((await linkOf(t.instanceId)).heardAt).not.toBeNull()
  })

  testAtNight(
    'a number whose webhook cannot be reached says so in time',
    async () => {
      const { url: baseUrl, instanceName, apiKey } = t.simulator
      const save = (webhookUrl: string) =>
        admin.request('PUT', `/api/evolution-config/${t.instanceId}`, {
          instanceName,
          baseUrl,
          apiKey,
          webhookUrl,
        })
      await save('http://127.0.0.1:9/nirgends')
      const { body } = await act<{ isHeard: boolean; message: string }>(t.instanceId, 'webhook')
      expect(body).toMatchObject({
        isHeard: false,
        message: expect.stringContaining('http://127.0.0.1:9/nirgends') as string,
      })
      await save('')
      expect((await act<{ isHeard: boolean }>(t.instanceId, 'webhook')).body.isHeard).toBe(true)
    },
    40_000,
  )

  test('a number whose session release 2.4 ended for want of an answer says so', async () => {
    t.simulator.control.setVersion('2.4')
    t.simulator.control.endSession(408)
    await eventually(() => linkOf(t.instanceId), { state: 'close', reason: 'timed_out' })
    t.simulator.control.setVersion('2.3.7')
    t.simulator.control.scan()
    await eventually(() => linkOf(t.instanceId), { state: 'open', reason: null })
  })

  test('a number that another program takes over repeatedly says so', async () => {
    for (let n = 0; n < 5; n++) {
      await connectedAgainAfter(() => t.simulator.control.endSession(440))
    }
    expect((await linkOf(t.instanceId)).reason).toBe('replaced')
  }, 20_000)
})

test('an unknown number, or one that is switched off, cannot be linked', async () => {
  expect(await act<object>(999_999, 'connect', {})).toMatchObject({ status: 404 })
  expect((await admin.request('GET', '/api/evolution-config/999999/link')).status).toBe(404)
  const { id, name } = await newNumber()
  const form = { instanceName: name, baseUrl: t.simulator.url, apiKey: '', isActive: false }
  await admin.request('PUT', `/api/evolution-config/${id}`, form)
  expect(await act<object>(id, 'connect', {})).toMatchObject(refusal(409, 'gateway.inactive'))
})

test('a gateway on an address that is not declared is refused, and the variable is named', async () => {
  const { id, name } = await newNumber()
  const form = { instanceName: name, baseUrl: 'http://10.0.0.1', apiKey: 'uma-chave', isActive: true }
  await admin.request('PUT', `/api/evolution-config/${id}`, form)
  expect(await act<object>(id, 'connect', {})).toMatchObject({
    status: 422,
    body: { message: expect.stringContaining('GATEWAY_ALLOWED_HOSTS') as string },
  })
  expect((await audited(id))[0]?.action).not.toBe('gateway.connect')
})

describe('the first steps', () => {
  const steps = () => admin.get<FirstSteps | null>('/api/first-steps')
  const reset = () =>
    t.sql`insert into first_steps (id) values (1)
      on conflict (id) do update set done_at = null, is_message_skipped = false, is_team_skipped = false,
                                    is_hours_skipped = false`

  // The tests' own settings have texts.
  beforeAll(() => t.sql`update system_settings set values = '{}'`)

  test('the first steps are derived from the installation, and may be skipped', async () => {
    await reset()
    expect(await steps()).toMatchObject({
      gateway: { isDone: true },
      number: { isDone: true },
      message: { isDone: false, conversationId: null },
    })
    const phone = t.simulator.control.createPhone({ name: 'Rita' })
    t.simulator.control.sendText(phone.id, 'oi')
    const found = await eventually(steps, (now) => now === null || now.message.isDone)
    if (found) expect(found.message).toMatchObject({ contactName: 'Rita' })
    const skip = async (step: string) =>
      (await admin.request<FirstSteps | null>('POST', '/api/first-steps/skip', { step })).body
    expect(await skip('team')).toMatchObject({ team: { isSkipped: true }, hours: { isDone: false } })
    expect(await skip('hours')).toBeNull()
  })

  test('a key that came from another installation is missing, and the first step is not done', async () => {
    await reset()
    const [{ key } = { key: '' }] = await t.sql<{ key: string }>`
      select api_key_encrypted as key from evolution_api_config order by id limit 1`
    // As a restore leaves it.
    await t.sql`update evolution_api_config set api_key_encrypted = ${t.app.secrets.encrypt('')}`
    expect(await steps()).toMatchObject({ gateway: { isDone: false } })
    expect(await admin.get('/api/evolution-config')).toMatchObject({ isKeyMissing: true })
    await t.sql`update evolution_api_config set api_key_encrypted = ${key}`
    expect(await steps()).toMatchObject({ gateway: { isDone: true } })
    expect(await admin.get('/api/evolution-config')).not.toHaveProperty('isKeyMissing')
  })

  test('the first steps end with hours or texts that somebody has saved', async () => {
    await reset()
    await t.sql`update first_steps set is_team_skipped = true`
    const save = (change: object) => admin.request('PATCH', '/api/system-settings', change)
    await save({ undoSendSeconds: 5 })
    expect(await steps()).toMatchObject({ hours: { isDone: false, isSkipped: false } })
    await save({ finalizationMessage: 'Até logo, da loja' })
    expect(await steps()).toBeNull()
  })

  test('the first steps do not come back once they are over', async () => {
    await eventually(
      async () =>
        (await t.sql<{ done: boolean }>`select done_at is not null as done from first_steps`)[0]?.done,
      true,
    )
    await t.sql`update first_steps set is_team_skipped = false`
    await t.sql`update evolution_api_config set last_connected_at = null`
    expect(await steps()).toBeNull()
  }, 40_000)
})
