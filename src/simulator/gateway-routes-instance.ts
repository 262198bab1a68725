import { gatewayError, refuse } from './gateway-errors.ts'
import type { Routes } from './gateway-server.ts'
import { createSchema, webhookSchema } from './gateway-schemas.ts'
import type { CreateBody, WebhookBody } from './gateway-schemas.ts'
import { beginLinking, closeInstance, makeInstance, restartInstance, setWebhook } from './instances.ts'
import { phoneJid } from './jids.ts'
import type { Instance, WebhookConfig } from './state.ts'
import { validate } from './validation.ts'
import { instanceOf } from './world.ts'
import type { World } from './world.ts'

const iso = (ms: number) => new Date(ms).toISOString()
const stateOf = ({ name, state }: Instance) => ({ instance: { instanceName: name, state } })

const qrOf = ({ qr }: Instance) =>
  qr ? { pairingCode: qr.pairingCode, code: qr.code, base64: qr.base64, count: qr.count } : { count: 0 }

const webhookRow = (instance: Instance, config: WebhookConfig) => ({
  id: config.id,
  url: config.url,
  headers: config.headers,
  enabled: config.enabled,
  events: config.events,
  webhookByEvents: config.byEvents,
  webhookBase64: config.base64,
  createdAt: iso(config.createdAt),
  updatedAt: iso(config.updatedAt),
  instanceId: instance.id,
})

const settingsOf = (body: Record<string, unknown>) => ({
  rejectCall: body['rejectCall'] === true,
  msgCall: body['msgCall'] ?? '',
  groupsIgnore: body['groupsIgnore'] === true,
  alwaysOnline: body['alwaysOnline'] === true,
  readMessages: body['readMessages'] === true,
  readStatus: body['readStatus'] === true,
  syncFullHistory: body['syncFullHistory'] === true,
  wavoipToken: '',
})

/** A row of fetchInstances. */
const instanceRow = (world: World, instance: Instance) => {
  const messages = [...world.state.messages.values()].filter((message) => message.instance === instance.name)
  const chats = new Set(messages.map(({ remoteJid }) => remoteJid)).size
  const { disconnection } = instance
  return {
    id: instance.id,
    name: instance.name,
    connectionStatus: instance.state,
    ownerJid: instance.ownerNumber === null ? null : phoneJid(instance.ownerNumber),
    profileName: instance.ownerName,
    profilePicUrl: null,
    integration: 'WHATSAPP-BAILEYS',
    number: instance.ownerNumber,
    businessId: null,
    token: instance.token,
    clientName: 'evolution_exchange',
    disconnectionReasonCode: disconnection?.code ?? null,
    disconnectionObject: disconnection
      ? JSON.stringify({ error: { output: { statusCode: disconnection.code } } })
      : null,
    disconnectionAt: disconnection ? iso(disconnection.at) : null,
    createdAt: iso(instance.createdAt),
    updatedAt: iso(instance.updatedAt),
    Chatwoot: null,
    Proxy: null,
    Rabbitmq: null,
    Nats: null,
    Sqs: null,
    Websocket: null,
    Setting: { ...settingsOf(instance.settings), instanceId: instance.id },
    _count: { Message: messages.length, Contact: chats, Chat: chats },
  }
}

const toConfig = (body: WebhookBody, events: string[]) => ({
  enabled: body.enabled,
  url: body.url,
  events,
  byEvents: body.byEvents ?? false,
  base64: body.base64 ?? false,
  ...(body.headers === undefined ? {} : { headers: body.headers }),
})

const create = (world: World, body: CreateBody) => {
  if (body.integration !== 'WHATSAPP-BAILEYS') throw refuse(400, 'Invalid integration')
  const { webhook } = body
  if (webhook && !webhook.events) throw refuse(400, "Cannot read properties of undefined (reading 'length')")
  const { instanceName: name, token, number } = body
  const settings = settingsOf(body)
  let instance = makeInstance(world, { name, settings, ...(token ? { token } : {}) })
  if (webhook) setWebhook(world, name, toConfig({ ...webhook, enabled: true }, webhook.events ?? []))
  instance = instanceOf(world, name)
  const data = { instanceName: name, instanceId: instance.id }
  void world.hooks.emit(instance, { event: 'instance.create', data, lane: 'instance', detail: name })
  if (body.qrcode === true) instance = beginLinking(world, name, number)
  return {
    instance: {
      instanceName: name,
      instanceId: instance.id,
      integration: body.integration,
      webhookWaBusiness: null,
      accessTokenWaBusiness: '',
      status: instance.state,
    },
    hash: instance.token,
    webhook: {
      webhookUrl: webhook?.url,
      webhookHeaders: webhook?.headers,
      webhookByEvents: webhook?.byEvents,
      webhookBase64: webhook?.base64,
    },
    websocket: {},
    rabbitmq: {},
    nats: {},
    sqs: {},
    settings,
    qrcode: body.qrcode === true ? qrOf(instance) : undefined,
  }
}

const serverRoutes = (routes: Routes, world: World) => {
  routes.onServer('GET', '/', () => ({
    status: 200,
    body: {
      status: 200,
      message: 'Welcome to the Evolution API, it is working!',
      version: '2.3.7',
      clientName: 'evolution_exchange',
      documentation: 'https://doc.evolution-api.com',
      whatsappWebVersion: '2.3000.1028042520',
    },
  }))

  routes.onServer('POST', '/instance/create', ({ body, key }) => {
    const { instanceName } = body as CreateBody
    // 'Logged' comes before 'auth': a taken name is refused even with a wrong key.
    if (instanceName === undefined || world.state.instances.has(instanceName))
      throw refuse(403, `This name "${instanceName}" is already in use.`)
    if (key !== world.apiKey) throw gatewayError(401, 'Unauthorized')
    validate(body, createSchema)
    return { status: 201, body: create(world, body as CreateBody), detail: instanceName }
  })

  routes.onServer('GET', '/instance/fetchInstances', ({ query, key }) => {
    const all = [...world.state.instances.values()]
    const visible = key === world.apiKey ? all : all.filter(({ token }) => token === key)
    if (key === undefined || (key !== world.apiKey && visible.length === 0))
      throw gatewayError(401, 'Unauthorized')
    const { instanceName: name, instanceId: id, number } = query
    // With an instance's own token the question does not matter: it sees itself.
    const found = visible.filter(
      (instance) =>
        key !== world.apiKey ||
        ((!name || instance.name === name) &&
          (!id || instance.id === id) &&
          (!number || instance.ownerNumber === number)),
    )
    if (name && found.length === 0) throw refuse(404, `Instance "${name}" not found`)
    return { status: 200, body: found.map((instance) => instanceRow(world, instance)) }
  })
}

/** The life of instances and their webhook. */
export const instanceRoutes = (routes: Routes, world: World): void => {
  serverRoutes(routes, world)
  // Connect and restart tell a failure under HTTP 200, and lose its text.
  const lostError = { status: 200, body: { error: true, message: '[object Object]' } }

  routes.onInstance('GET', '/instance/connectionState', ({ instance }) => ({
    status: 200,
    body: stateOf(instance),
  }))

  routes.onInstance('GET', '/instance/connect', ({ instance, query }) => {
    if (instance.state === 'open') return { status: 200, body: stateOf(instance) }
    if (instance.state === 'connecting') return { status: 200, body: qrOf(instance) }
    return { status: 200, body: qrOf(beginLinking(world, instance.name, query['number'])) }
  })

  routes.onInstance('POST', '/instance/restart', ({ instance }) => {
    if (instance.state === 'close') return lostError
    // The state in the answer is the one before the restart.
    const body = stateOf(instance)
    restartInstance(world, instance.name)
    return { status: 200, body, detail: instance.name }
  })

  routes.onInstance('DELETE', '/instance/logout', ({ instance }) => {
    if (instance.state === 'close') throw refuse(400, `The "${instance.name}" instance is not connected`)
    closeInstance(world, instance.name)
    return {
      status: 200,
      body: { status: 'SUCCESS', error: false, response: { message: 'Instance logged out' } },
    }
  })

  routes.onInstance('DELETE', '/instance/delete', ({ instance }) => {
    if (instance.state === 'open')
      throw refuse(400, `The "${instance.name}" instance needs to be disconnected`)
    const data = { instanceName: instance.name, instanceId: instance.id }
    void world.hooks.emit(instance, {
      event: 'instance.delete',
      data,
      lane: 'instance',
      detail: instance.name,
    })
    // The page and its phones live on the main instance: it can be emptied of its number, not taken away.
    if (instance.name !== world.instanceName) world.commit({ t: 'instanceGone', name: instance.name })
    return {
      status: 200,
      body: { status: 'SUCCESS', error: false, response: { message: 'Instance deleted' } },
    }
  })

  routes.onInstance('POST', '/webhook/set', ({ instance, body }) => {
    validate(body, webhookSchema)
    const { webhook } = body as { webhook: WebhookBody }
    if (!webhook.events) throw gatewayError(500, "Cannot read properties of undefined (reading 'length')")
    const config = setWebhook(world, instance.name, toConfig(webhook, webhook.events))
    return { status: 201, body: webhookRow(instance, config), detail: webhook.url }
  })

  routes.onInstance('GET', '/webhook/find', ({ instance }) => ({
    status: 200,
    body: instance.webhook && webhookRow(instance, instance.webhook),
  }))
}
