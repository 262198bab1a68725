import { WebSocket } from 'ws'
import { liveEvents, liveFrameEnvelope } from '#shared/live-events.ts'
import { anything, damaged, strangeTexts } from '#server/testing/inputs/damage.ts'
import type { Random } from '#simulator/random.ts'

/** A connection, and the frames sent on it. */
export interface Visit {
  path: string
  protocols: string[]
  headers: Record<string, string>
  frames: (string | Buffer)[]
}

/** The outcome of a visit: how it was refused or closed, and the faults of what was received. */
export interface VisitEnd {
  end: string
  faults: string[]
}

const known = Object.keys(liveEvents)
const closes = new Set([1000, 1002, 1003, 1005, 1006, 1007, 1009, 1012, 1013, 4401, 4403, 4408, 4429])

/** @param tokenFor returns a valid session's token, or another text */
export function makeVisit(random: Random, token: string, userIds: readonly number[]): Visit {
  const below = (n: number) => Math.floor(random() * n)
  const pick = <T>(from: readonly T[]): T => from[below(from.length)] as T
  const userId = () =>
    pick<unknown>([...userIds, ...userIds.map(String), null, {}, [userIds[0]], -1, 1e308, '__proto__'])
  const cursor = () => pick(['', '0', '1:1', '999999:999999', '-1:-1', '9'.repeat(64), ...strangeTexts])
  const good = () =>
    pick<unknown>([
      { type: 'authenticate', data: { userId: userId(), lastCursor: cursor(), epoch: pick(strangeTexts) } },
      { type: 'request_stats', data: {} },
      { type: 'active', data: {} },
      { type: 'viewing', data: { conversationId: pick([1, 2, 999_999, null, -1, '1']) } },
      { type: 'typing', data: { conversationId: pick([1, 2, 999_999]), isTyping: pick([true, false, 1]) } },
      { type: pick(known), data: { conversationId: 1 }, n: 1, cursor: '0', epoch: 'x' },
    ])
  const frame = (): string | Buffer => {
    const dice = random()
    if (dice < 0.3) return JSON.stringify(good())
    if (dice < 0.7) return JSON.stringify(damaged(random, good())) ?? 'null'
    if (dice < 0.85) return JSON.stringify(anything(random, 4)) ?? 'null'
    if (dice < 0.92) return Buffer.from(Array.from({ length: below(200) }, () => below(256)))
    return pick(['', '{', '['.repeat(30_000), '\0', '{"type":"authenticate"', 'x'.repeat(70_000)])
  }
  const isGood = random() < 0.75
  const protocols = isGood
    ? ['bearer', token]
    : pick([[], ['bearer'], ['bearer', 'x'], ['bearer', token.slice(1)], ['json'], [token]])
  const headers: Record<string, string> =
    random() < 0.85
      ? {}
      : pick<Record<string, string>>([
          { origin: 'https://evil.example' },
          { origin: 'null' },
          { cookie: `sid=${token}` },
          { cookie: `sid=${token}`, origin: 'http://127.0.0.1.evil.example' },
          { 'sec-websocket-extensions': 'permessage-deflate; x=y, a, b' },
        ])
  const path = random() < 0.95 ? '/ws' : pick(['/ws/', '//', '/ws?token=x', '/api/ws', '/%77s', '/ws%00'])
  return { path, protocols, headers, frames: Array.from({ length: 1 + below(20) }, frame) }
}

/** Connects, sends everything at once, listens for a moment, and closes. */
export function visit(url: string, { path, protocols, headers, frames }: Visit): Promise<VisitEnd> {
  return new Promise((resolve) => {
    const faults: string[] = []
    const ws = new WebSocket(`${url.replace('http:', 'ws:')}${path}`, protocols, {
      headers,
      maxRedirects: 0,
    } as never)
    const done = (end: string) => {
      clearTimeout(patience)
      ws.terminate()
      resolve({ end, faults })
    }
    const patience = setTimeout(() => done('sem resposta'), 20_000)
    let expected = 1
    ws.on('unexpected-response', (request, response) => {
      request.destroy()
      if ((response.statusCode ?? 0) >= 500) faults.push(`connection refused with ${response.statusCode}`)
      done(`refused ${response.statusCode}`)
    })
    ws.on('error', (error) => {
      if (/Unexpected server response|socket hang up|Server sent|before the connection/.test(error.message))
        return
      faults.push(`connection error: ${error.message.slice(0, 80)}`)
    })
    ws.on('message', (data) => {
      const parsed = liveFrameEnvelope.safeParse(parse((data as Buffer).toString('utf8')))
      if (!parsed.success || !known.includes(parsed.data.type)) faults.push('an unknown frame')
      else if (parsed.data.n !== expected++) faults.push('a gap in the numbering')
    })
    ws.on('open', () => {
      for (const frame of frames) ws.send(frame)
      setTimeout(() => ws.close(1000), 30)
    })
    ws.on('close', (code) => {
      if (!closes.has(code)) faults.push(`closed with ${code}`)
      done(`fechada ${code}`)
    })
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
