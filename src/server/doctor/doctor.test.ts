import { once } from 'node:events'
import { chmodSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import type { Examination, Finding } from '#shared/doctor/doctor.ts'
import type { CommandError } from '#server/cli/command-error.ts'
import { runDoctor } from '#server/cli/doctor-command.ts'
import type { DiskSpace } from '#server/notices/notices.ts'
import { testAtNight } from '#server/testing/nightly.ts'
import { above, eventually, forAllTests, requestTo, testApp } from '#server/testing/test-app.ts'
import { readConfig } from '#server/platform/config.ts'
import { examineClock } from './machine.ts'

const gibibyte = 1024 ** 3
const roomy: DiskSpace = { free: 90 * gibibyte, total: 100 * gibibyte }

let disk = roomy

const t = forAllTests(() => testApp({}, { measureDisk: () => Promise.resolve(disk) }))
const admin = forAllTests(() => t.signIn('admin'))

const own = () => `${t.app.url}/api/webhook/evolution`

const save = (patch: Record<string, unknown> = {}) =>
  admin.request('PUT', `/api/evolution-config/${t.instanceId}`, {
    instanceName: t.simulator.instanceName,
    baseUrl: t.simulator.url,
    apiKey: t.simulator.apiKey,
    ...patch,
  })

const atGateway = async (method: string, path: string, body?: unknown) => {
  const { url, instanceName, apiKey: apikey } = t.simulator
  return (await requestTo<Record<string, unknown>>(url, method, `${path}/${instanceName}`, body, { apikey }))
    .body
}

const events = ['MESSAGES_UPSERT', 'CONNECTION_UPDATE']
const setWebhook = (webhook: Record<string, unknown>) =>
  atGateway('POST', '/webhook/set', {
    webhook: { enabled: true, url: own(), byEvents: false, base64: false, events, ...webhook },
  })

const examine = async () => (await admin.request<Examination>('POST', '/api/doctor')).body.findings
const causes = (findings: readonly Finding[]) => findings.map(({ cause }) => cause)
/** What was found of the number, behind which nothing is looked at. */
const ofNumber = async () => (await examine()).filter(({ instanceName }) => instanceName !== null)

const whole = ['gateway_right', 'instance_right', 'number_open', 'webhook_right', 'echo_right']

beforeEach(async () => {
  disk = roomy
  await save()
  t.simulator.control.setFaults({ failMedia: { on: false } })
})

test('the doctor reports a healthy installation, and leaves a trace only in the audit', async () => {
  const findings = await examine()
  expect(causes(findings)).toEqual([
    'clock_right',
    'database_right',
    'disk_right',
    'files_right',
    'permissions_right',
    'tls_absent',
    ...whole,
    'media_none',
  ])
  expect(findings.find(({ check }) => check === 'echo')).toMatchObject({
    instanceName: 'loja1',
    text: expect.stringMatching(/voltou em \d+ ms$/) as string,
  })
  await t.settled()
  const [left] = await t.sql<{ count: number }>`
    select ((select count(*) from conversations) + (select count(*) from files)
                + (select count(*) from messages))::int as count`
  expect(left?.count).toBe(0)
  const [reported] = await t.sql<{ details: unknown }>`
    select details from audit_logs where action = 'gateway.examine' order by id desc limit 1`
  expect(reported?.details).toEqual({ faults: [] })
}, 30_000)

test.each<[string, Record<string, unknown>, string[], RegExp]>([
  [
    'an address that is refused',
    { baseUrl: 'http://10.0.0.1:8080' },
    ['gateway_address_refused'],
    /10\.0\.0\.1:8080 .*GATEWAY_ALLOWED_HOSTS/,
  ],
  ['an address at which nothing listens', { baseUrl: 'http://127.0.0.1:9' }, ['gateway_silent'], /./],
  ['a wrong key', { apiKey: 'uma-chave-de-outro-lugar' }, ['gateway_key_refused'], /./],
  [
    'an unknown instance',
    { instanceName: 'nunca-criada' },
    ['gateway_right', 'instance_unknown'],
    /nunca-criada/,
  ],
  ['a number that is switched off', { isActive: false }, ['gateway_inactive'], /./],
])('the doctor names %s as the cause, and looks no further', async (_what, patch, expected, text) => {
  await save(patch)
  const found = await ofNumber()
  expect(causes(found)).toEqual(expected)
  expect(found.at(-1)?.text).toMatch(text)
})

test('the doctor names the licence that a gateway of release 2.4 lacks, and looks no further', async () => {
  t.simulator.control.setVersion('2.4', false)
  const found = await ofNumber()
  expect(causes(found)).toEqual(['gateway_license'])
  expect(found[0]?.text).toContain('licença')
  t.simulator.control.setVersion('2.4')
  expect(causes(await ofNumber())).toEqual([...whole, 'media_none'])
  t.simulator.control.setVersion('2.3.7')
}, 30_000)

test('the doctor reports the cause of an instance that is closed', async () => {
  await atGateway('DELETE', '/instance/logout')
  const closed = whole.with(2, 'number_closed').with(4, 'echo_waits')
  expect(causes(await ofNumber())).toEqual(closed)
  t.simulator.control.scan()
  await eventually(() => atGateway('GET', '/instance/connectionState'), { instance: { state: 'open' } })
})

test('the doctor reports the cause of a webhook that is absent, which is set', async () => {
  const name = 'sem-webhook'
  const { url, apiKey: apikey } = t.simulator
  const wanted = { instanceName: name, integration: 'WHATSAPP-BAILEYS' }
  await requestTo(url, 'POST', '/instance/create', wanted, { apikey })
  await save({ instanceName: name })
  t.simulator.control.scan(name)
  expect(causes(await ofNumber())).toContain('webhook_absent')
  expect(causes(await ofNumber())).toEqual([...whole, 'media_none'])
}, 30_000)

test('the doctor reports the cause of a webhook that leads elsewhere, which is left as it is', async () => {
  await setWebhook({ url: 'https://crm.exemplo.com/entrada?token=segredo' })
  const found = await ofNumber()
  expect(causes(found)).toEqual(['gateway_right', 'instance_right', 'number_open', 'webhook_elsewhere'])
  expect(found[3]?.text).toContain('aponta para https://crm.exemplo.com/entrada, e não para ')
  expect(JSON.stringify(found)).not.toContain('segredo')
  expect(await atGateway('GET', '/webhook/find')).toMatchObject({
    url: 'https://crm.exemplo.com/entrada?token=segredo',
  })
})

test('the doctor reports the cause of a wrong secret, which is replaced, and heard', async () => {
  await setWebhook({ headers: { authorization: 'Bearer de-outra-instalacao' } })
  const found = await ofNumber()
  expect(causes(found)).toEqual([...whole.with(3, 'webhook_secret'), 'media_none'])
  expect(found[3]).toMatchObject({ state: 'mended', text: expect.stringContaining('(401)') as string })
  expect(causes(await ofNumber())).toEqual([...whole, 'media_none'])
}, 30_000)

test('the doctor reports the cause of a webhook that is switched off, or lacks an event', async () => {
  await setWebhook({ enabled: false })
  expect(causes(await ofNumber())).toContain('webhook_off')
  const { headers } = await atGateway('GET', '/webhook/find')
  await setWebhook({ headers })
  const found = await ofNumber()
  expect(causes(found)).toContain('webhook_events')
  expect(found.find(({ cause }) => cause === 'webhook_events')?.text).toContain('MESSAGES_UPDATE')
  expect(causes(await ofNumber())).toContain('webhook_right')
}, 30_000)

testAtNight(
  'the doctor reports the cause of a webhook whose address the gateway does not reach',
  async () => {
    const url = 'http://127.0.0.1:9/api/webhook/evolution'
    await save({ webhookUrl: url })
    await setWebhook({ url })
    const echo = (await ofNumber()).find(({ check }) => check === 'echo')
    expect(echo).toMatchObject({ cause: 'echo_unheard', text: expect.stringContaining(url) as string })
    await save({ webhookUrl: '' })
    await setWebhook({})
    await examine()
  },
  60_000,
)

/** The address at which this answers in place of a gateway. */
async function answering(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('the doctor reports the cause of a proxy that redirects', async () => {
  const host = await answering(({ url }, answer) => {
    answer.writeHead(301, { location: `https://evolution.exemplo.com${url}` }).end()
  })
  await save({ baseUrl: `http://${host}` })
  const found = await ofNumber()
  expect(causes(found)).toEqual(['gateway_redirects'])
  expect(found[0]?.text).toContain(`em ${host} redireciona (301)`)
})

test.each([
  ['another program', 200, 'gateway_something_else'],
  ['a proxy without a gateway', 502, 'gateway_failing'],
])('the doctor reports %s in place of the gateway', async (_what, status, cause) => {
  const host = await answering((_request, answer) => {
    answer.writeHead(status, { 'content-type': 'text/html' }).end('<h1>It works!</h1>')
  })
  await save({ baseUrl: `http://${host}` })
  expect(causes(await ofNumber())).toEqual([cause])
})

test('the doctor reports the cause of media that cannot be fetched', async () => {
  const phone = t.simulator.control.createPhone({ name: 'Rita' })
  t.simulator.control.send(phone.id, { kind: 'image', base64: 'iVBORw0KGgo=' })
  await eventually(
    async () => (await t.sql`select 1 from files where message_id is not null`).length,
    above(0),
  )
  const right = (await ofNumber()).find(({ check }) => check === 'media')
  expect(right).toMatchObject({ cause: 'media_right' })
  t.simulator.control.setFaults({ failMedia: { on: true, oneIn: 1 } })
  const found = (await ofNumber()).find(({ check }) => check === 'media')
  expect(found).toMatchObject({
    cause: 'media_failing',
    text: expect.stringContaining('Failed to fetch stream') as string,
  })
}, 60_000)

test.each<[string, DiskSpace, string]>([
  ['nearly full', { free: 1.5 * gibibyte, total: 40 * gibibyte }, 'disk_low'],
  ['full', { free: gibibyte / 10, total: 40 * gibibyte }, 'disk_full'],
])('the doctor reports the cause of a disk that is %s', async (_what, space, cause) => {
  disk = space
  const found = (await examine()).find(({ check }) => check === 'disk')
  expect(found).toMatchObject({ cause, text: expect.stringContaining(t.config.dataDir) as string })
})

test('a data folder that other accounts may read is reported, with the command that closes it', async () => {
  const ofFolder = async () => (await examine()).find(({ check }) => check === 'permissions')
  chmodSync(t.config.dataDir, 0o755)
  expect(await ofFolder()).toMatchObject({
    cause: 'permissions_open',
    text: expect.stringMatching(/chmod 7\d\d/) as string,
  })
  chmodSync(t.config.dataDir, 0o700)
  const key = join(t.config.dataDir, 'secret.key')
  chmodSync(key, 0o644)
  expect((await ofFolder())?.text).toContain(key)
  chmodSync(key, 0o600)
  expect(await ofFolder()).toMatchObject({ cause: 'permissions_right' })
})

test('the command informs people and programs the same, and fails when something is at fault', async () => {
  const run = async (isJson: boolean) => {
    const lines: string[] = []
    const terminal = { print: (line: string) => void lines.push(line), warn: () => undefined }
    const readNewPassword = () => Promise.resolve('')
    const fault = await runDoctor(t.database, t.config, {
      isJson,
      terminal: { ...terminal, readNewPassword },
    }).then(
      () => undefined,
      (error: CommandError) => error,
    )
    return { lines, fault }
  }
  const right = await run(true)
  expect(right.fault).toBeUndefined()
  const { findings } = JSON.parse(right.lines.join('\n')) as Examination
  expect(causes(findings)).toEqual(expect.arrayContaining(whole))
  await save({ apiKey: 'uma-chave-de-outro-lugar' })
  const { lines, fault } = await run(false)
  expect(fault).toMatchObject({ message: '1 problema.', exitCode: 1 })
  expect(lines.find((line) => line.startsWith('PROBLEMA'))).toMatch(
    /^PROBLEMA {2}Evolution API \(loja1\) +A Evolution API recusou a chave: .*AUTHENTICATION_API_KEY/,
  )
})

test('a webhook at localhost is that at 127.0.0.1, and is right', async () => {
  await save()
  await setWebhook({ url: own().replace('127.0.0.1', 'localhost') })
  expect((await ofNumber()).map(({ cause }) => cause)).not.toContain('webhook_elsewhere')
})

test('the command finds no fault in a demo, whose gateway no variable allows', async () => {
  const found: string[] = []
  await runDoctor(
    t.database,
    { ...t.config, gatewayAllowedHosts: [], simulator: true },
    {
      isJson: true,
      terminal: {
        print: (line: string) => void found.push(line),
        warn: () => undefined,
        readNewPassword: () => Promise.resolve(''),
      },
    },
  )
  const { findings } = JSON.parse(found.join('\n')) as Examination
  expect(findings.filter(({ state }) => state === 'fault')).toEqual([])
  // Without a simulator the address stays refused.
  const config = { ...t.config, gatewayAllowedHosts: [] }
  const terminal = {
    print: () => undefined,
    warn: () => undefined,
    readNewPassword: () => Promise.resolve(''),
  }
  await expect(runDoctor(t.database, config, { isJson: true, terminal })).rejects.toThrow('1 problema.')
})

/** What is found with gateways whose clocks are so many milliseconds ahead of ours. */
const foundWith = (...aheadMs: number[]) =>
  examineClock(t.database, readConfig({ DATA_DIR: '/tmp' }, false), aheadMs)

test.each([
  [[11_000], 'clock_wrong'],
  [[-11_000], 'clock_wrong'],
  [[200, -45_000, 900], 'clock_wrong'],
  [[10_000], 'clock_right'],
  [[-10_000, 3000], 'clock_right'],
  [[], 'clock_alone'],
] as const)('clocks of gateways that are %j ms ahead are found to be %s', async (aheadMs, cause) => {
  expect((await foundWith(...aheadMs)).cause).toBe(cause)
})

test('a clock that is wrong is named in a whole sentence', async () => {
  expect((await foundWith(11_000)).text).toContain(
    'O relógio deste servidor e o da Evolution API diferem 11 s',
  )
  expect((await foundWith(2000)).text).toBe('2 s de diferença para o da Evolution API')
})
