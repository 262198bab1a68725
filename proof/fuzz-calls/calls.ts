import { gzipSync } from 'node:zlib'
import type { Endpoint } from '#shared/endpoint.ts'
import { validValues } from '#server/testing/calls.ts'
import { anything, damaged, foreignKeys, strangeTexts } from '#server/testing/inputs/damage.ts'
import type { Random } from '#simulator/random.ts'

/** A call, and the principal whose session it uses. */
export interface FuzzedCall {
  method: string
  path: string
  headers: Record<string, string>
  body: string | Buffer | undefined
  principal: Principal
}

export const principals = ['none', 'operator', 'supervisor', 'admin'] as const
export type Principal = (typeof principals)[number]

interface Known {
  call: Endpoint
  params: unknown[]
  queries: unknown[]
  bodies: unknown[]
}

const poolSize = 60
/** Calls that compare a password or end a session, and are therefore made less often. */
const rare = new Set(['/api/auth/login', '/api/auth/logout'])
const methods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'QUERY']
const types = [
  'application/json; charset=utf-16',
  'application/json; charset=x',
  'application/json;;;',
  'text/plain',
  'text/html',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'multipart/form-data',
  'application/octet-stream',
  'application/vnd.api+json',
  'x',
  `application/${'x'.repeat(4000)}`,
]
const paths = [
  '/api/%zz',
  '/api/%',
  '/api/%c0%ae%c0%ae/',
  '/api//conversations',
  '//api/conversations',
  '/API/conversations',
  '/api/conversations/',
  '/api/./conversations',
  '/api/%2e%2e/healthz',
  '/api/..%2f..%2fetc/passwd',
  '/%61pi/conversations',
  '/api/conversations;a=b',
  '/api/__proto__',
  '/api/constructor/prototype',
  `/api/conversations/${'9'.repeat(600)}`,
  `/api/${'a/'.repeat(2000)}`,
  '/api/docs',
  '/.env',
  '/.git/HEAD',
  '/package.json',
  '/assets/..%2f..%2f..%2fpackage.json',
  '/healthz?x=1',
  '/readyz',
  '/metrics',
  '/ws',
]

/** @param urls addresses that a call may make the program connect to */
export function createCalls(
  random: Random,
  calls: Endpoint[],
  seed: number,
  urls: string[],
): () => FuzzedCall {
  const below = (n: number) => Math.floor(random() * n)
  const pick = <T>(from: readonly T[]): T => from[below(from.length)] as T
  const pool = (schema: Endpoint['body']) => (schema ? validValues(schema, seed, poolSize, urls) : [])
  const known: Known[] = calls.map((call) => ({
    call,
    params: pool(call.params),
    queries: pool(call.query),
    bodies: pool(call.body),
  }))

  function chooseCall(): Known {
    for (;;) {
      const one = pick(known)
      if (!rare.has(one.call.path) || random() < 0.15) return one
    }
  }

  function pathOf({ call, params }: Known, damage: number): string {
    const values = (params.length > 0 ? pick(params) : {}) as Record<string, string>
    return call.path.replace(/:(\w+)/g, (_all, name: string) => {
      const value = random() < damage ? pick(strangeTexts).slice(0, 2000) : (values[name] ?? '1')
      return random() < 0.1 && damage > 0 ? value.replaceAll(/[?#\s%\0]/g, '%25') : escaped(value)
    })
  }

  function queryOf({ queries }: Known, damage: number): string {
    if (queries.length === 0 && random() > damage / 2) return ''
    const values = (queries.length > 0 ? pick(queries) : {}) as Record<string, string>
    const pairs = Object.entries(values).map(([key, value]) => `${escaped(key)}=${escaped(value)}`)
    if (random() < damage) {
      const key = random() < 0.5 ? pick(['page', 'limit', 'search', 'before', 'after']) : pick(foreignKeys)
      const value = escaped(pick(strangeTexts).slice(0, 3000))
      pairs.push(
        pick([
          `${key}=${value}`,
          `${key}[]=${value}`,
          `${key}[a][b]=1`,
          `${key}=1&${key}=2`,
          key,
          '&&=',
          '%zz=1',
        ]),
      )
    }
    return pairs.length === 0 ? '' : `?${pairs.join('&')}`
  }

  const tooMuch = () =>
    pick([
      () => '['.repeat(100_000),
      () => '['.repeat(100_000) + ']'.repeat(100_000),
      () => '{"a":'.repeat(50_000) + '1' + '}'.repeat(50_000),
      () => `{${Array.from({ length: 80_000 }, (_, n) => `"k${n}":1`).join(',')}}`,
      () => `[${'1,'.repeat(400_000)}1]`,
      () => JSON.stringify({ content: 'x'.repeat(1_048_577) }),
      () => `{"content":"${'\\u0000'.repeat(100_000)}"}`,
      () => `${'9'.repeat(500_000)}`,
    ])()

  const broken = (text: string) =>
    pick([
      text.slice(0, below(text.length + 1)),
      `${text}}`,
      'undefined',
      '',
      `\ufeff${text}`,
      "{'a':1}",
      '\0',
      'null',
      '1',
      '""',
    ])

  function bodyOf({ bodies }: Known): string {
    const good = bodies.length > 0 ? pick(bodies) : {}
    const dice = random()
    if (dice < 0.25) return JSON.stringify(good)
    if (dice < 0.75) return JSON.stringify(damaged(random, good)) ?? 'null'
    if (dice < 0.92) return JSON.stringify(anything(random, 4)) ?? 'null'
    if (dice < 0.99) return broken(JSON.stringify(good))
    return tooMuch()
  }

  function strangeHeaders(): Record<string, string> {
    return pick<Record<string, string>>([
      { 'x-http-method-override': 'DELETE' },
      { 'x-forwarded-for': '1.2.3.4, 5.6.7.8', 'x-forwarded-host': 'evil.example' },
      { 'x-original-url': '/api/evolution-config', 'x-rewrite-url': '/api/users' },
      { authorization: `Bearer ${'a'.repeat(5000)}` },
      { authorization: 'Basic YWRtaW46YWRtaW4=' },
      { cookie: `sid=${'x'.repeat(6000)}; __proto__=1; constructor=2` },
      { cookie: ';;;===;sid' },
      { origin: 'https://evil.example' },
      { origin: 'null', cookie: 'sid=abc' },
      { host: 'evil.example' },
      { 'accept-encoding': 'br;q=0, gzip;q=1.5, *;q=x' },
      { 'if-none-match': `"${'x'.repeat(3000)}", *` },
      { range: 'bytes=0-1,2-3,4-' },
      { 'x-long': 'x'.repeat(30_000) },
      { expect: '200-ok' },
    ])
  }

  /** A path without a call, or another method. */
  function astray(): FuzzedCall {
    const at = chooseCall()
    const path =
      random() < 0.6 ? pick(paths) : `${pathOf(at, 0.6)}${pick(['/', '//', '/%2e%2e', '%00', '.json', ''])}`
    const method = random() < 0.5 ? pick(methods) : at.call.method
    const hasBody = !['GET', 'HEAD', 'TRACE'].includes(method) && random() < 0.5
    const headers: Record<string, string> = hasBody ? { 'content-type': 'application/json' } : {}
    return { method, path, headers, body: hasBody ? bodyOf(at) : undefined, principal: pick(principals) }
  }

  return () => {
    if (random() < 0.12) return astray()
    const at = chooseCall()
    const damage = pick([0, 0, 0.3, 0.7])
    const { method } = at.call
    const text = method === 'GET' ? undefined : bodyOf(at)
    const headers: Record<string, string> = text === undefined ? {} : { 'content-type': 'application/json' }
    let body: string | Buffer | undefined = text
    if (text !== undefined && random() < 0.08) headers['content-type'] = pick(types)
    if (text !== undefined && random() < 0.03) {
      body = random() < 0.7 ? gzipSync(text) : text
      headers['content-encoding'] = pick(['gzip', 'br', 'deflate', 'x'])
    }
    if (random() < 0.08) Object.assign(headers, strangeHeaders())
    return {
      method,
      path: pathOf(at, damage) + queryOf(at, damage),
      headers,
      body,
      principal: pick(principals),
    }
  }
}

/** Encodes for a URL; lone surrogates become bytes that do not decode. */
function escaped(value: string): string {
  return value.isWellFormed() ? encodeURIComponent(value) : '%ed%a0%bd'
}
