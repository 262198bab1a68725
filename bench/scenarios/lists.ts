import { Pool } from 'undici'
import { phoneOf } from '../data.ts'
import { allAnswered, median, type Shot, shoot } from '../load.ts'
import type { Figure, Sample, Scenario } from '../rounds.ts'
import { createOperator } from '../shots.ts'
import type { Side } from '../stage.ts'
import type { MakeScenario } from './plan.ts'

const connections = 16
const phone = phoneOf(20).slice(-6)

const paths = {
  nosso: {
    page: '/api/conversations?page=1&limit=50',
    whole: '/api/conversations',
    name: '/api/conversations?page=1&limit=50&search=mariana',
    phone: `/api/conversations?page=1&limit=50&search=${phone}`,
  },
  piso: {
    page: '/list',
    whole: '/list?all=1',
    name: '/list?search=mariana',
    phone: `/list?search=${phone}`,
  },
} as const

const figures: Figure[] = [
  {
    key: 'page',
    title: 'página de 50, 16 conexões',
    unit: 'por s',
    better: 'higher',
    aim: { ratio: 0.5 },
  },
  { key: 'pageP50', title: 'página de 50, uma conexão, p50', unit: 'ms', better: 'lower' },
  { key: 'whole', title: 'lista inteira das abertas', unit: 'por s', better: 'higher' },
  { key: 'name', title: 'busca por nome', unit: 'por s', better: 'higher', aim: { ratio: 0.5 } },
  { key: 'phone', title: 'busca por telefone', unit: 'por s', better: 'higher', aim: { ratio: 0.5 } },
  {
    key: 'unchanged',
    title: 'lista inteira sem mudança, 304 (piso: a página de 50)',
    unit: 'por s',
    better: 'higher',
    aim: { ratio: 1.5 },
  },
]

/** S1: the open list. Peers of BENCH_PEERS ('name=http://…/tickets?…;other=…') are asked for the page they name. */
export const lists: MakeScenario = (stage, { sliceMs }) => {
  const operator = createOperator()
  const headersOf = { nosso: operator, piso: () => ({}) }

  const run = async (side: 'nosso' | 'piso'): Promise<Sample> => {
    const { http } = side === 'nosso' ? stage.product : stage.floor
    const get = (path: string, more: Record<string, string> = {}): Shot => ({
      method: 'GET',
      path,
      headers: { ...headersOf[side](), ...more },
    })
    const rate = async (path: string) => {
      const shooting = await shoot(http, () => get(path), { connections, ms: sliceMs })
      allAnswered(shooting, 200)
      return shooting.latencies.length / shooting.seconds
    }
    const alone = await shoot(http, () => get(paths[side].page), { connections: 1, ms: sliceMs })
    const page = await rate(paths[side].page)
    return {
      page,
      pageP50: median(alone.latencies),
      whole: await rate(paths[side].whole),
      name: await rate(paths[side].name),
      phone: await rate(paths[side].phone),
      unchanged: side === 'piso' ? page : await unchangedRate({ http }, get, sliceMs),
    }
  }
  return {
    name: 'lists',
    title: 'S1 listas',
    figures,
    sides: { piso: () => run('piso'), nosso: () => run('nosso'), ...peers(sliceMs) },
  }
}

async function unchangedRate(
  { http }: Pick<Side, 'http'>,
  get: (path: string, more?: Record<string, string>) => Shot,
  ms: number,
): Promise<number> {
  const { whole } = paths.nosso
  const first = await http.request({ method: 'GET', path: whole, headers: get(whole).headers ?? {} })
  await first.body.arrayBuffer()
  const { etag } = first.headers
  if (typeof etag !== 'string') return Number.NaN
  const shooting = await shoot(http, () => get(whole, { 'if-none-match': etag }), { connections, ms })
  allAnswered(shooting, 304)
  return shooting.latencies.length / shooting.seconds
}

function peers(sliceMs: number): Scenario['sides'] {
  const named = (process.env['BENCH_PEERS'] ?? '').split(';').filter(Boolean)
  return Object.fromEntries(
    named.map((entry) => {
      const [name = '', ...rest] = entry.split('=')
      const { origin, pathname, search } = new URL(rest.join('='))
      const http = new Pool(origin, { connections, pipelining: 1 })
      const next = (): Shot => ({ method: 'GET', path: `${pathname}${search}` })
      const run = async () => {
        const alone = await shoot(http, next, { connections: 1, ms: sliceMs })
        allAnswered(alone, 200)
        const full = await shoot(http, next, { connections, ms: sliceMs })
        return { page: full.latencies.length / full.seconds, pageP50: median(alone.latencies) }
      }
      return [name, run]
    }),
  )
}
