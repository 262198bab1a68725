import type { Encoding } from '#simulator/control-api.ts'
import { v1Instance, v1Webhook, nestV1Webhook } from '#simulator/gateway/v1-bodies.ts'
import { gatewayError, refuse } from '#simulator/gateway/gateway-errors.ts'
import type { Call, Routes } from '#simulator/gateway/gateway-server.ts'
import { type CreateBody, createSchema, type WebhookBody, webhookSchema } from './instance-schemas.ts'
import { closeInstance, instanceLane, makeInstance, restartInstance, setWebhook } from './instances.ts'
import { instanceRow, qrOf, settingsOf, stateOf, webhookRow } from './instance-views.ts'
import { beginLinking } from './linking.ts'
import type { Instance, WebhookConfig } from '#simulator/world/state.ts'
import { validate } from '#simulator/gateway/validation.ts'
import { instanceOf, type World } from '#simulator/world/world.ts'

function toConfig(body: WebhookBody, events: string[]) {
  return {
    enabled: body.enabled,
    url: body.url,
    events,
    byEvents: body.byEvents ?? false,
    base64: body.base64 ?? false,
    ...(body.headers === undefined ? {} : { headers: body.headers }),
  }
}

async function create(world: World, body: CreateBody) {
  if (body.integration !== 'WHATSAPP-BAILEYS') throw refuse(400, 'Invalid integration')
  const { webhook } = body
  if (webhook && !webhook.events) throw refuse(400, "Cannot read properties of undefined (reading 'length')")
  const { instanceName: name, token, number } = body
  const settings = settingsOf(body)
  let instance = makeInstance(world, { name, settings, ...(token ? { token } : {}) })
  if (webhook) setWebhook(world, name, toConfig({ ...webhook, enabled: true }, webhook.events ?? []))
  instance = instanceOf(world, name)
  const data = { instanceName: name, instanceId: instance.id }
  void world.hooks.emit(instance, { event: 'instance.create', data, lane: instanceLane, detail: name })
  if (body.qrcode === true) {
    beginLinking(world, name, number)
    await world.timers.sleep(world.pace.createWaitMs)
    instance = world.state.instances.get(name) ?? instance
  }
  return {
    instance: {
      instanceName: name,
      instanceId: instance.id,
      integration: body.integration,
      webhookWaBusiness: null,
      accessTokenWaBusiness: '',
      status: instance.state,
    },
    hash: world.state.version === '1.8' ? { apikey: instance.token } : instance.token,
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

/** The release that represents its group. */
const releaseOf: Record<Encoding, string> = {
  '1.8': '1.8.2',
  '2.2': '2.2.3',
  '2.3.0': '2.3.0',
  '2.3.1': '2.3.1',
  '2.3.3': '2.3.3',
  '2.3.5': '2.3.5',
  '2.3.6': '2.3.6',
  '2.3.7': '2.3.7',
  '2.4': '2.4.0',
}

function serverRoutes(routes: Routes, world: World) {
  routes.onServer('GET', '/', () => ({
    status: 200,
    body: {
      status: 200,
      message: 'Welcome to the Evolution API, it is working!',
      version: releaseOf[world.state.version],
      clientName: 'evolution_exchange',
      documentation: 'https://doc.evolution-api.com',
      whatsappWebVersion: '2.3000.1028042520',
    },
  }))

  routes.onServer('POST', '/instance/create', async ({ body, key }) => {
    const { instanceName } = body as CreateBody
    // Existence is checked before the key: a taken name is refused even with a wrong key.
    if (instanceName === undefined || world.state.instances.has(instanceName))
      throw refuse(403, `This name "${instanceName}" is already in use.`)
    if (key !== world.apiKey) throw gatewayError(401, 'Unauthorized')
    validate(body, createSchema)
    return { status: 201, body: await create(world, body as CreateBody), detail: instanceName }
  })

  routes.onServer('GET', '/instance/fetchInstances', ({ query, key }) => {
    const all = [...world.state.instances.values()]
    const visible = key === world.apiKey ? all : all.filter(({ token }) => token === key)
    if (key === undefined || (key !== world.apiKey && visible.length === 0))
      throw gatewayError(401, 'Unauthorized')
    const { instanceName: name, instanceId: id, number } = query
    // With an instance's own token the filters are ignored: it sees only itself.
    const found = visible.filter(
      (instance) =>
        key !== world.apiKey ||
        ((!name || instance.name === name) &&
          (!id || instance.id === id) &&
          (!number || instance.ownerNumber === number)),
    )
    if (name && found.length === 0) throw refuse(404, `Instance "${name}" not found`)
    const row = (instance: Instance) =>
      world.state.version === '1.8' ? v1Instance(instance, world.serverUrl()) : instanceRow(world, instance)
    return { status: 200, body: found.map(row) }
  })
}

function deleted(text: string) {
  return { status: 'SUCCESS', error: false, response: { message: text } }
}

function logout(world: World, { instance }: Call) {
  if (instance.state !== 'close') closeInstance(world, instance.name)
  else if (world.state.version !== '2.4')
    throw refuse(400, `The "${instance.name}" instance is not connected`)
  return { status: 200, body: deleted('Instance logged out') }
}

function remove(world: World, { instance }: Call) {
  const { name, id } = instance
  if (instance.state !== 'close') closeInstance(world, name)
  const data = { instanceName: name, instanceId: id }
  void world.hooks.emit(instance, { event: 'instance.delete', data, lane: instanceLane, detail: name })
  void world.hooks.emit(instance, { event: 'remove.instance', data: null, lane: instanceLane, detail: name })
  // The page and its phones use the main instance: it can lose its number but not be deleted.
  if (name !== world.instanceName) world.commit({ t: 'instanceGone', name })
  return { status: 200, body: deleted('Instance deleted') }
}

function lifeRoutes(routes: Routes, world: World) {
  // Connect and restart report an error under HTTP 200, and lose its text.
  const lostError = { status: 200, body: { error: true, message: '[object Object]' } }
  const isFirst = () => world.state.version === '1.8'

  routes.onInstance('GET', '/instance/connectionState', ({ instance }) => ({
    status: 200,
    body: stateOf(instance),
  }))

  routes.onInstance('GET', '/instance/connect', async ({ instance, query }) => {
    if (instance.state === 'open') return { status: 200, body: stateOf(instance) }
    if (instance.state === 'connecting') return { status: 200, body: qrOf(instance) }
    beginLinking(world, instance.name, query['number'])
    await world.timers.sleep(world.pace.connectWaitMs)
    return { status: 200, body: qrOf(world.state.instances.get(instance.name) ?? instance) }
  })

  function restart({ instance }: Call) {
    if (instance.state === 'close') return lostError
    // The answer has the state from before the restart.
    const body = stateOf(instance)
    restartInstance(world, instance.name)
    return { status: 200, body, detail: instance.name }
  }
  const noRoute = (method: string, { instance }: Call) =>
    refuse(404, `Cannot ${method} /instance/restart/${encodeURIComponent(instance.name)}`)
  routes.onInstance('POST', '/instance/restart', (call) => {
    if (isFirst()) throw noRoute('POST', call)
    return restart(call)
  })
  routes.onInstance('PUT', '/instance/restart', (call) => {
    if (!isFirst()) throw noRoute('PUT', call)
    return restart(call)
  })

  routes.onInstance('DELETE', '/instance/logout', (call) => logout(world, call))
  routes.onInstance('DELETE', '/instance/delete', (call) => remove(world, call))
}

function webhookRoutes(routes: Routes, world: World) {
  const isFirst = () => world.state.version === '1.8'
  const rowOf = (instance: Instance, config: WebhookConfig) =>
    isFirst() ? v1Webhook(instance, config) : webhookRow(instance, config)

  routes.onInstance('POST', '/webhook/set', ({ instance, body }) => {
    const nested = isFirst() ? nestV1Webhook(body) : body
    validate(nested, webhookSchema(world.state.version))
    const { webhook } = nested as { webhook: WebhookBody }
    if (!webhook.events) throw gatewayError(500, "Cannot read properties of undefined (reading 'length')")
    const config = setWebhook(world, instance.name, toConfig(webhook, webhook.events))
    return { status: 201, body: rowOf(instance, config), detail: webhook.url }
  })

  routes.onInstance('GET', '/webhook/find', ({ instance }) => ({
    status: 200,
    body: instance.webhook && rowOf(instance, instance.webhook),
  }))
}

/** Instances and their webhook. */
export function instanceRoutes(routes: Routes, world: World): void {
  serverRoutes(routes, world)
  lifeRoutes(routes, world)
  webhookRoutes(routes, world)
}
