import { createHmac } from 'node:crypto'
import { Agent, request } from 'undici'
import type { PendingWebhook, WebhookConfig } from '#simulator/world/state.ts'

/** The outcome of one POST by Evolution's rules. */
export interface PostOutcome {
  kind: 'accepted' | 'refused' | 'failed'
  /** '200', '302', 'ECONNREFUSED'. */
  word: string
  /** Answered 2xx by the URL itself: a followed redirect counts as accepted although nobody read the body. */
  isRead: boolean
  tookMs: number
}

const neverRetried = new Set([400, 401, 403, 404, 422])

function base64Url(value: unknown) {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

/**
 * The JWT for the special header `jwt_key`, issued when the event was created; it expires after ten minutes.
 */
function signJwt(secret: string, atMs: number) {
  const iat = Math.floor(atMs / 1000)
  const claims = { iat, exp: iat + 600, app: 'evolution', action: 'webhook' }
  const unsigned = `${base64Url({ alg: 'HS256', typ: 'JWT' })}.${base64Url(claims)}`
  return `${unsigned}.${createHmac('sha256', secret).update(unsigned).digest('base64url')}`
}

function headersFor(config: WebhookConfig, hook: PendingWebhook): Record<string, string> {
  const { jwt_key: secret, ...headers } = config.headers ?? {}
  const all: Record<string, string> = {
    'content-type': 'application/json',
    'user-agent': 'axios/1.12.2',
    ...headers,
  }
  if (secret !== undefined) all['authorization'] = `Bearer ${signJwt(secret, hook.createdAt)}`
  return all
}

/** `https://console/hook/messages-upsert` when the webhook uses one URL per event. */
function addressFor(config: WebhookConfig, event: string): string {
  return config.byEvents ? `${config.url}/${event.replace(/[._]/g, '-').toLowerCase()}` : config.url
}

function errorWord(error: unknown): string {
  if (!(error instanceof Error)) return 'erro'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name
  return code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'TimeoutError' ? 'sem resposta' : code
}

/** Posts webhooks over its own connections. */
export function createWebhookPoster(timeoutMs: number) {
  const agent = new Agent({ connections: 64, headersTimeout: timeoutMs, bodyTimeout: timeoutMs })

  async function follow(location: string, base: string) {
    const answer = await request(new URL(location, base), { method: 'GET', dispatcher: agent })
    await answer.body.dump()
    return answer.statusCode
  }

  async function post(config: WebhookConfig, hook: PendingWebhook): Promise<Omit<PostOutcome, 'tookMs'>> {
    const url = addressFor(config, hook.event)
    const headers = headersFor(config, hook)
    const answer = await request(url, { method: 'POST', body: hook.body, headers, dispatcher: agent })
    await answer.body.dump()
    const status = answer.statusCode
    if (status >= 200 && status < 300) return { kind: 'accepted', word: String(status), isRead: true }
    const { location } = answer.headers
    if (status >= 300 && status < 400 && typeof location === 'string') {
      const final = await follow(location, url)
      if (final < 300) return { kind: 'accepted', word: `${status} seguido como GET`, isRead: false }
      return { kind: neverRetried.has(final) ? 'refused' : 'failed', word: String(final), isRead: false }
    }
    return { kind: neverRetried.has(status) ? 'refused' : 'failed', word: String(status), isRead: false }
  }

  return {
    post: async (config: WebhookConfig, hook: PendingWebhook): Promise<PostOutcome> => {
      const startedAt = performance.now()
      const took = () => Math.round(performance.now() - startedAt)
      try {
        return { ...(await post(config, hook)), tookMs: took() }
      } catch (error) {
        return { kind: 'failed', word: errorWord(error), isRead: false, tookMs: took() }
      }
    },
    close: () => agent.destroy(),
  }
}
export type WebhookPoster = ReturnType<typeof createWebhookPoster>
