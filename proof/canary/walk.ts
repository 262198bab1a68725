import { WebSocket } from 'ws'
import type { Simulator } from '#simulator/simulator.ts'
import { until } from '../support/waiting.ts'
import { instanceName, type Secrets } from './secrets.ts'

/** Everything the program answered and pushed. */
export interface Observed {
  answers: string[]
  frames: string[]
  /** The tokens of the opened sessions. */
  tokens: string[]
}

type Call = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Response>

/** Takes the program through its main path and every kind of error, and records its answers. */
export async function walk(options: {
  url: string
  secrets: Secrets
  simulator: Simulator
  /** Breaks the database, does the work, and repairs it. */
  withoutTable(work: () => Promise<void>): Promise<void>
  withoutDatabase(work: () => Promise<void>): Promise<void>
}): Promise<Observed> {
  const { url, secrets, simulator } = options
  const observed: Observed = { answers: [], frames: [], tokens: [] }
  const call: Call = async (method, path, body, headers = {}) => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await answer.clone().text()
    // The answer does not include the path.
    observed.answers.push(`${answer.status} ${JSON.stringify([...answer.headers])} ${text}`)
    return answer
  }
  const bearer = await signIn(url, secrets, call, observed)
  await setUpGateway(call, bearer, secrets, simulator)
  await talk(call, bearer, simulator)
  await forge(call, secrets)
  await sockets(url, observed)
  await errors(call, bearer, secrets)
  await options.withoutTable(() =>
    call('GET', '/api/contact-categories', undefined, bearer).then(() => undefined),
  )
  await options.withoutDatabase(async () => {
    await call('GET', '/api/auth/me', undefined, bearer)
    await call('POST', '/api/auth/login', { username: 'chefe', password: secrets.password })
    await call('POST', '/api/webhook/evolution', {
      event: 'x',
      instance: instanceName,
      apikey: secrets.instanceToken,
    })
  })
  await call('POST', '/api/auth/logout', undefined, bearer)
  await call('GET', '/api/auth/me', undefined, bearer)
  return observed
}

/** Only this answer may contain the token, so it is not recorded. */
async function signIn(
  url: string,
  secrets: Secrets,
  call: Call,
  observed: Observed,
): Promise<Record<string, string>> {
  const login = { username: 'chefe', password: secrets.password }
  let last = ''
  for (let n = 0; n < 2; n++) {
    const answer = await fetch(`${url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(login),
    })
    const { token, user } = (await answer.json()) as { token: string; user: unknown }
    observed.answers.push(JSON.stringify(user))
    observed.tokens.push(token)
    last = token
  }
  await call('POST', '/api/auth/login', { ...login, password: secrets.wrongPassword })
  await call('POST', '/api/auth/login', { username: secrets.wrongPassword, password: secrets.wrongPassword })
  await call('POST', '/api/auth/login', {
    username: 'chefe',
    password: { [secrets.wrongPassword]: secrets.password },
  })
  await call('POST', '/api/auth/login', `{"username":"chefe","password":"${secrets.password}`)
  return { authorization: `Bearer ${last}` }
}

async function setUpGateway(
  call: Call,
  bearer: Record<string, string>,
  secrets: Secrets,
  simulator: Simulator,
): Promise<void> {
  const config = { baseUrl: simulator.url, apiKey: secrets.gatewayKey, instanceName }
  const path = '/api/evolution-config'
  const made = (await (await call('POST', path, config, bearer)).json()) as { id: number }
  await call('POST', path, config, bearer)
  await call('POST', `${path}/test`, { baseUrl: simulator.url, apiKey: secrets.gatewayKey }, bearer)
  await call('POST', `${path}/test`, { baseUrl: simulator.url, apiKey: secrets.wrongKey }, bearer)
  await call('POST', `${path}/test`, { baseUrl: 'http://127.0.0.1:1', apiKey: secrets.wrongKey }, bearer)
  await call('POST', `${path}/test`, { baseUrl: 'http://10.0.0.1', apiKey: secrets.wrongKey }, bearer)
  await call('POST', `${path}/test`, { baseUrl: [secrets.wrongKey], apiKey: secrets.wrongKey }, bearer)
  await call('PUT', `${path}/${made.id}`, { ...config, apiKey: secrets.wrongKey }, bearer)
  await call('POST', `${path}/setup-webhook`, {}, bearer)
  await call('PUT', `${path}/${made.id}`, { ...config, baseUrl: 'http://127.0.0.1:1' }, bearer)
  await call('POST', `${path}/setup-webhook`, {}, bearer)
  await call('PUT', `${path}/${made.id}`, config, bearer)
  await call('POST', `${path}/setup-webhook`, {}, bearer)
  await call('GET', path, undefined, bearer)
  await call('GET', `${path}/status`, undefined, bearer)
}

async function talk(call: Call, bearer: Record<string, string>, simulator: Simulator): Promise<void> {
  const phone = simulator.control.createPhone({ name: 'Maria', number: '5511987654321' })
  simulator.control.sendText(phone.id, 'Bom dia')
  await simulator.control.idle()
  const [conversation] = await until(
    'what is written',
    async () =>
      (await (await call('GET', '/api/conversations', undefined, bearer)).json()) as { id: number }[],
    (found) => found.length > 0,
  )
  const path = `/api/conversations/${conversation?.id}`
  await call('POST', `${path}/messages`, { content: 'Pois não?' }, bearer)
  await until(
    'what is written',
    () => simulator.control.oracle().received.length,
    (n) => n > 0,
  )
  await call('GET', `${path}/messages`, undefined, bearer)
  await call('POST', `${path}/finalize`, { notes: 'feito' }, bearer)
  await call('POST', `${path}/messages`, { content: 'tarde demais' }, bearer)
}

/**
 * Webhooks with the instance's key in the body, as the gateway writes it, at several depths, and invalid
 * ones.
 */
async function forge(call: Call, secrets: Secrets): Promise<void> {
  const path = '/api/webhook/evolution'
  const data = {
    key: { remoteJid: '5511987650001@s.whatsapp.net', fromMe: false, id: 'CANARIO1' },
    message: { conversation: 'oi' },
  }
  const body = { event: 'messages.upsert', instance: instanceName, data, apikey: secrets.instanceToken }
  await call('POST', path, body)
  await call('POST', path, { ...body, apikey: secrets.gatewayKey, event: 'x', data: null })
  await call('POST', path, { ...body, apikey: secrets.wrongKey })
  await call('POST', path, body, { authorization: `Bearer ${secrets.wrongKey}` })
  await call('POST', path, `{"apikey":"${secrets.instanceToken}",`)
}

async function sockets(url: string, observed: Observed): Promise<void> {
  const [token = ''] = observed.tokens
  for (const protocols of [
    ['bearer', token],
    ['bearer', `${token}x`],
    ['bearer', token],
  ]) {
    const ws = new WebSocket(`${url.replace('http:', 'ws:')}/ws`, protocols)
    ws.on('message', (data) => observed.frames.push((data as Buffer).toString('utf8')))
    ws.on('error', (error) => observed.frames.push(error.message))
    ws.on('open', () => {
      for (const type of ['request_stats', 'active', 'nothing'])
        ws.send(JSON.stringify({ type, data: { token } }))
      ws.send(JSON.stringify({ type: 'authenticate', data: { userId: 99, lastCursor: token.slice(0, 60) } }))
      setTimeout(() => ws.close(), 500)
    })
    await new Promise<void>((resolve) => ws.on('close', () => resolve()))
  }
}

async function errors(call: Call, bearer: Record<string, string>, secrets: Secrets): Promise<void> {
  const [token = ''] = (bearer['authorization'] ?? '').split(' ').slice(1)
  await call('GET', `/api/conversations?search=${token}`, undefined, bearer)
  await call('GET', `/api/contacts/${token}`, undefined, bearer)
  await call('GET', `/api/nothing/${secrets.password}`, undefined, { cookie: `sid=${token}` })
  await call('GET', `/api/%zz${secrets.password}`, undefined, bearer)
  await call('POST', '/api/auth/logout', undefined, {
    cookie: `sid=${token}`,
    origin: 'https://evil.example',
  })
  await call('POST', '/api/auth/login', `x${secrets.password}`, { 'content-type': 'text/plain' })
  await call('POST', '/api/auth/login', { username: 'chefe', password: secrets.password.repeat(40_000) })
  await call('GET', '/metrics', undefined, { authorization: `Bearer ${secrets.metricsToken}` })
  await call('GET', '/metrics', undefined, { authorization: `Bearer ${secrets.metricsToken}x` })
  await call('GET', '/readyz')
  const docs = await call('GET', '/api/docs', undefined, bearer)
  if (!docs.ok) throw new Error(`/api/docs: ${docs.status}`)
  await call('GET', '/login')
}
