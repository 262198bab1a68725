import type { Pool } from 'undici'
import { openOnes, tokenOf } from '../../environment/data.ts'
import { allAnswered, type HttpRequest, quantile, runLoad } from '../../load/load.ts'
import { type Figure, lower, type Sample } from '../../rounds.ts'
import type { CreateScenario } from '../scenario.ts'
import { type BothVersions, people, startBoth } from './both-versions.ts'

const connections = 4
/** List and chat with sectors may take a tenth longer than before there were any. */
const most = { ratio: 1.1 }

type Scope = 'all' | 'sector' | 'own'
const scopes: readonly Scope[] = ['all', 'sector', 'own']
const operatorsOf = (scope: Scope) =>
  Array.from({ length: people }, (_, n) => n + 1).filter((id) => scopes[(id - 1) % 3] === scope)

const both = (key: string, title: string): Figure[] => [
  lower(`${key}P50`, `${title}, p50`, 'ms', most),
  lower(`${key}P99`, `${title}, p99`, 'ms', most),
]

/**
 * Twelve sectors and sixty people beside version 0.1.0 with the same conversations, which is the floor here.
 * Those with 'Todas' see what everybody saw before; those with 'Próprias' must not wait longer than they.
 */
export const sectors: CreateScenario = ({ size }, { sliceMs }) => {
  let starting: Promise<BothVersions> | undefined
  const open = openOnes(size)

  const run = async (side: 'ours' | 'earlier'): Promise<Sample> => {
    starting ??= startBoth(size.conversations)
    const http = (await starting)[side]
    const sample: Sample = {}
    const timed = async (key: string, next: (turn: number) => HttpRequest) => {
      let turn = 0
      const result = await runLoad(http, () => next(turn++), { connections, ms: sliceMs })
      allAnswered(result, 200)
      sample[`${key}P50`] = quantile(result.latencies, 0.5)
      sample[`${key}P99`] = quantile(result.latencies, 0.99)
    }
    const by = (scope: Scope, path: (turn: number) => string) => {
      const operators = operatorsOf(scope)
      return (turn: number): HttpRequest => ({
        method: 'GET',
        path: path(turn),
        headers: { authorization: `Bearer ${tokenOf(operators[turn % operators.length] ?? 1)}` },
      })
    }
    const page = () => '/api/conversations?page=1&limit=50'
    const whole = () => '/api/conversations'
    const some = (turn: number) => open[(turn * 7) % open.length]
    await timed('page', by('all', page))
    await timed('whole', by('all', whole))
    await timed(
      'chat',
      by('all', (turn) => `/api/conversations/${some(turn)}`),
    )
    await timed(
      'messages',
      by('all', (turn) => `/api/conversations/${some(turn)}/messages?limit=20`),
    )
    await timedAfterChange(http, sliceMs, by('all', whole), sample)
    if (side === 'earlier') return sample
    for (const scope of ['own', 'sector'] as const) {
      await timed(`${scope}Page`, by(scope, page))
      await timed(`${scope}Whole`, by(scope, whole))
    }
    for (const list of ['Page', 'Whole'])
      for (const part of ['P50', 'P99'])
        sample[`ownBesideAll${list}${part}`] =
          (sample[`own${list}${part}`] ?? Number.NaN) / (sample[`${list.toLowerCase()}${part}`] ?? Number.NaN)
    return sample
  }

  return {
    name: 'sectors',
    title: 'S11 sectors: 12 of them and 60 people, beside version 0.1.0, which is the floor',
    figures: [
      ...both('page', "list, page of 50, 'Todas'"),
      ...both('whole', "list, all open ones, 'Todas'"),
      ...both('changed', 'list, all open ones, after a change of one'),
      ...both('chat', 'one conversation'),
      ...both('messages', 'its last 20 messages'),
      lower('ownBesideAllPageP50', "page of 50, 'Próprias' ÷ 'Todas', p50", '', { value: 1 }),
      lower('ownBesideAllPageP99', "page of 50, 'Próprias' ÷ 'Todas', p99", '', { value: 1 }),
      lower('ownBesideAllWholeP50', "all open ones, 'Próprias' ÷ 'Todas', p50", '', { value: 1 }),
      lower('ownBesideAllWholeP99', "all open ones, 'Próprias' ÷ 'Todas', p99", '', { value: 1 }),
      lower('sectorPageP50', "page of 50, 'Do setor', p50", 'ms'),
      lower('sectorWholeP50', "all open ones, 'Do setor', p50", 'ms'),
    ],
    sides: { floor: () => run('earlier'), ours: () => run('ours') },
    async finish() {
      await (await starting)?.close()
      return []
    },
  }
}

/** The list is kept in memory: each is asked for right after somebody's conversation has changed. */
async function timedAfterChange(
  http: Pool,
  ms: number,
  list: (turn: number) => HttpRequest,
  sample: Sample,
): Promise<void> {
  const latencies: number[] = []
  const started = performance.now()
  // The administrator is the one after all operators of the data.
  const headers = { authorization: `Bearer ${tokenOf(201)}`, 'content-type': 'application/json' }
  for (let turn = 0; performance.now() - started < ms; turn++) {
    const body = JSON.stringify({ priority: turn % 2 === 0 ? 'high' : 'normal' })
    const changed = await http.request({
      method: 'PATCH',
      path: '/api/conversations/40/priority',
      headers,
      body,
    })
    await changed.body.arrayBuffer()
    if (changed.statusCode !== 200) throw new Error(`a change was answered with ${changed.statusCode}`)
    const result = await runLoad(http, () => list(turn), { connections: 1, count: 1 })
    allAnswered(result, 200)
    latencies.push(...result.latencies)
  }
  sample['changedP50'] = quantile(latencies, 0.5)
  sample['changedP99'] = quantile(latencies, 0.99)
}
