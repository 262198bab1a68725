import { Pool } from 'undici'
import { phoneOf } from '../environment/data.ts'
import { allAnswered, median, type HttpRequest, runLoad } from '../load/load.ts'
import { higher, lower, type Figure, type Sample, type Scenario } from '../rounds.ts'
import { createOperator } from '../load/requests.ts'
import type { Side } from '../environment/environment.ts'
import type { CreateScenario } from './scenario.ts'

const connections = 16
const phone = phoneOf(20).slice(-6)

const paths = {
  ours: {
    page: '/api/conversations?page=1&limit=50',
    whole: '/api/conversations',
    name: '/api/conversations?page=1&limit=50&search=mariana',
    phone: `/api/conversations?page=1&limit=50&search=${phone}`,
  },
  floor: {
    page: '/list',
    whole: '/list?all=1',
    name: '/list?search=mariana',
    phone: `/list?search=${phone}`,
  },
} as const

const figures: Figure[] = [
  higher('page', 'page of 50, 16 connections', '/s', { ratio: 0.5 }),
  lower('pageP50', 'page of 50, one connection, p50', 'ms'),
  higher('whole', 'all open conversations', '/s'),
  higher('name', 'name search', '/s', { ratio: 0.5 }),
  higher('phone', 'phone search', '/s', { ratio: 0.5 }),
  higher('unchanged', 'all open conversations unchanged, 304 (floor: the page of 50)', '/s', { ratio: 1.5 }),
]

/**
 * S1: the open list. BENCH_PEERS names peers and the page to fetch from each
 * ('name=http://…/tickets?…;other=…').
 */
export const lists: CreateScenario = (environment, { sliceMs }) => {
  const operator = createOperator()
  const headersOf = { ours: operator, floor: () => ({}) }

  const run = async (side: 'ours' | 'floor'): Promise<Sample> => {
    const { http } = side === 'ours' ? environment.product : environment.floor
    const get = (path: string, more: Record<string, string> = {}): HttpRequest => ({
      method: 'GET',
      path,
      headers: { ...headersOf[side](), ...more },
    })
    const rate = async (path: string) => {
      const result = await runLoad(http, () => get(path), { connections, ms: sliceMs })
      allAnswered(result, 200)
      return result.latencies.length / result.seconds
    }
    const alone = await runLoad(http, () => get(paths[side].page), { connections: 1, ms: sliceMs })
    const page = await rate(paths[side].page)
    return {
      page,
      pageP50: median(alone.latencies),
      whole: await rate(paths[side].whole),
      name: await rate(paths[side].name),
      phone: await rate(paths[side].phone),
      unchanged: side === 'floor' ? page : await unchangedRate({ http }, get, sliceMs),
    }
  }
  return {
    name: 'lists',
    title: 'S1 lists',
    figures,
    sides: { floor: () => run('floor'), ours: () => run('ours'), ...peers(sliceMs) },
  }
}

async function unchangedRate(
  { http }: Pick<Side, 'http'>,
  get: (path: string, more?: Record<string, string>) => HttpRequest,
  ms: number,
): Promise<number> {
  const { whole } = paths.ours
  const first = await http.request({ method: 'GET', path: whole, headers: get(whole).headers ?? {} })
  await first.body.arrayBuffer()
  const { etag } = first.headers
  if (typeof etag !== 'string') return Number.NaN
  const result = await runLoad(http, () => get(whole, { 'if-none-match': etag }), { connections, ms })
  allAnswered(result, 304)
  return result.latencies.length / result.seconds
}

function peers(sliceMs: number): Scenario['sides'] {
  const named = (process.env['BENCH_PEERS'] ?? '').split(';').filter(Boolean)
  return Object.fromEntries(
    named.map((entry) => {
      const [name = '', ...rest] = entry.split('=')
      const { origin, pathname, search } = new URL(rest.join('='))
      const http = new Pool(origin, { connections, pipelining: 1 })
      const next = (): HttpRequest => ({ method: 'GET', path: `${pathname}${search}` })
      const run = async () => {
        const alone = await runLoad(http, next, { connections: 1, ms: sliceMs })
        allAnswered(alone, 200)
        const full = await runLoad(http, next, { connections, ms: sliceMs })
        return { page: full.latencies.length / full.seconds, pageP50: median(alone.latencies) }
      }
      return [name, run]
    }),
  )
}
