import { newUuid } from '#simulator/random.ts'
import { isKnownEvent } from './encodings.ts'
import { faultTitles } from '#simulator/world/faults.ts'
import { inSeconds } from '#simulator/control/describe.ts'
import { envelope } from './payloads.ts'
import type { Instance, PendingWebhook, WebhookConfig } from '#simulator/world/state.ts'
import type { Emission, WebhookSender } from '#simulator/world/emission.ts'
import type { PostOutcome, WebhookPoster } from './webhook-post.ts'
import type { World } from '#simulator/world/world.ts'

const maxAttempts = 10
const maxRetryMs = 300_000
// Up to 2.2 every failure is retried every 30 s, six times the first pause of later releases.
const steadyFactor = 6
function retriesAlways({ state }: World) {
  return state.version === '1.8' || state.version === '2.2'
}

interface Item {
  hook: PendingWebhook
  attempt: number
  isCopy: boolean
  /** The run of the gateway that queued it. */
  run: number
  done: () => void
}
interface Lane {
  queue: Item[]
  isBusy: boolean
  held: Item[]
}

/** 'messages.upsert' → 'MESSAGES_UPSERT', as in the events filter. */
function filterName(event: string) {
  return event.replaceAll('.', '_').replaceAll('-', '_').toUpperCase()
}

/** 2.3.7 reads nothing more from the socket until this webhook is delivered, or given up. */
function holdsSocket({ state }: World, { event }: PendingWebhook) {
  return state.version === '2.3.7' && event === 'messages.edited'
}

/**
 * @param getWorld the world is created after the sender and contains it
 * @param onRelease the gateway reads from the instance's socket again
 */
export function createWebhookSender(
  getWorld: () => World,
  poster: WebhookPoster,
  onAccepted: (hook: PendingWebhook) => void,
  onRelease: (instance: string) => void,
): WebhookSender {
  const lanes = new Map<string, Lane>()
  const retrying = new Map<Item, () => void>()
  // A deleted instance still posts its deletion.
  const lastConfigs = new Map<string, WebhookConfig>()
  /** By instance, the webhooks that it waits for. */
  const holding = new Map<string, Set<string>>()
  let active = 0
  let runs = 0

  function laneOf(name: string): Lane {
    const lane = lanes.get(name) ?? { queue: [], isBusy: false, held: [] }
    lanes.set(name, lane)
    return lane
  }

  function noteHolding(hook: PendingWebhook) {
    if (!holdsSocket(getWorld(), hook)) return
    holding.set(hook.instance, (holding.get(hook.instance) ?? new Set()).add(hook.id))
  }

  function push(item: Item) {
    active += 1
    const lane = laneOf(item.hook.lane)
    lane.queue.push(item)
    void run(lane, item.hook.lane)
  }

  function scheduleRetry(item: Item, outcome: PostOutcome): string {
    const world = getWorld()
    if (item.attempt >= maxAttempts) {
      finish(item)
      return `${outcome.word}, desistiu após ${maxAttempts} tentativas`
    }
    const waitMs = retriesAlways(world)
      ? world.pace.retryBaseMs * steadyFactor
      : world.injector.jitter(Math.min(maxRetryMs, world.pace.retryBaseMs * 2 ** (item.attempt - 1)))
    world.counts.retries += 1
    function again() {
      if (!retrying.delete(item)) return
      push({ ...item, attempt: item.attempt + 1 })
    }
    const cancel = world.timers.after(waitMs, again)
    retrying.set(item, () => {
      cancel()
      again()
    })
    return `${outcome.word}, nova tentativa em ${inSeconds(waitMs)}`
  }

  function finish(item: Item) {
    if (item.isCopy) return
    const { id, instance } = item.hook
    getWorld().commit({ t: 'hookDone', id })
    const held = holding.get(instance)
    if (held?.delete(id) && held.size === 0) onRelease(instance)
  }

  async function attempt(item: Item) {
    const world = getWorld()
    const { hook } = item
    // Nothing is posted before its journal line is written.
    await Promise.resolve()
    const waitMs = hook.notBefore - world.clock.now()
    if (waitMs > 0) await world.timers.sleep(waitMs)
    if (item.run !== runs) return
    const instance = world.state.instances.get(hook.instance)
    const config = instance ? instance.webhook : lastConfigs.get(hook.instance)
    if (!config || !/^https?:\/\//.test(config.url)) return finish(item)
    const outcome = await poster.post(config, hook)
    if (item.run !== runs) return
    let result = `${outcome.word} em ${outcome.tookMs} ms`
    const isRepeated = outcome.kind === 'failed' || (outcome.kind === 'refused' && retriesAlways(world))
    if (isRepeated) result = item.isCopy ? outcome.word : scheduleRetry(item, outcome)
    else {
      finish(item)
      if (outcome.kind === 'refused') result += ', não será repetido'
      if (outcome.isRead) onAccepted(hook)
    }
    world.feed.line('webhook', hook.event, hook.detail, result)
  }

  async function run(lane: Lane, name: string) {
    if (lane.isBusy) return
    lane.isBusy = true
    for (let item = lane.queue.shift(); item; item = lane.queue.shift()) {
      await attempt(item)
      active -= 1
      item.done()
      lane.queue.unshift(...lane.held.splice(0))
    }
    lane.isBusy = false
    if (lane.held.length === 0 && lane.queue.length === 0) lanes.delete(name)
  }

  // A held event is posted right after the next one of its lane, or alone when none comes in time.
  function hold(item: Item) {
    const world = getWorld()
    const lane = laneOf(item.hook.lane)
    active += 1
    lane.held.push(item)
    world.timers.after(world.state.faults.reorderWebhook.holdMs, () => {
      if (!lane.held.includes(item)) return
      lane.queue.push(...lane.held.splice(0))
      void run(lane, item.hook.lane)
    })
    world.feed.line('falha', faultTitles.reorderWebhook, `${item.hook.event} ${item.hook.detail}`, 'segurado')
  }

  function queue(instance: Instance, emission: Emission, body: string): PendingWebhook {
    const world = getWorld()
    const createdAt = world.clock.now()
    const hook: PendingWebhook = {
      id: newUuid(),
      instance: instance.name,
      lane: `${instance.name}|${emission.lane}`,
      event: emission.event,
      body,
      waId: emission.waId ?? null,
      detail: emission.detail,
      createdAt,
      notBefore: createdAt + (emission.delayMs ?? 0),
    }
    world.commit({ t: 'hook', hook })
    noteHolding(hook)
    return hook
  }

  const emit: WebhookSender['emit'] = async (instance, emission) => {
    const world = getWorld()
    const config = instance.webhook
    if (config) lastConfigs.set(instance.name, config)
    if (!config?.enabled || !isKnownEvent(emission.event, world.state.version)) return
    if (config.events.length > 0 && !config.events.includes(filterName(emission.event))) return
    if (world.injector.hitsWebhook('dropWebhook', emission.event)) {
      world.counts.dropped += 1
      world.feed.line('falha', faultTitles.dropWebhook, `${emission.event} ${emission.detail}`, 'perdido')
      return
    }
    const { event, data, top } = emission
    const body = envelope(instance, event, data, world.serverUrl(), world.clock.now(), top)
    const hook = queue(instance, emission, JSON.stringify(body))
    const isDoubled = world.injector.hitsWebhook('duplicateWebhook', emission.event)
    const isHeld = world.injector.hitsWebhook('reorderWebhook', emission.event)
    await new Promise<void>((done) => {
      const item = { hook, attempt: 1, isCopy: false, run: runs, done }
      if (isHeld) hold(item)
      else push(item)
      if (!isDoubled) return
      world.counts.duplicatesSent += 1
      push({ ...item, isCopy: true, done: () => undefined })
      world.feed.line(
        'falha',
        faultTitles.duplicateWebhook,
        `${hook.event} ${hook.detail} enviado outra vez`,
        'repetido',
      )
    })
  }

  return {
    emit,
    inject: (instance, event, body) =>
      new Promise((done) => {
        const hook = queue(
          instance,
          { event, data: null, lane: 'injected', detail: 'corpo injetado' },
          JSON.stringify(body),
        )
        push({ hook, attempt: 1, isCopy: false, run: runs, done })
      }),
    resume: () => {
      for (const hook of getWorld().state.hooks.values()) {
        noteHolding(hook)
        push({ hook, attempt: 1, isCopy: false, run: runs, done: () => undefined })
      }
    },
    forget: () => {
      runs += 1
      holding.clear()
      retrying.clear()
      const { state, commit } = getWorld()
      for (const id of state.hooks.keys()) commit({ t: 'hookDone', id })
    },
    retryNow: () => {
      for (const again of retrying.values()) again()
    },
    isHolding: (instance) => (holding.get(instance)?.size ?? 0) > 0,
    countActive: () => active,
  }
}
