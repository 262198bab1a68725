import { tokenOf } from '../environment/data.ts'
import { allAnswered, type HttpRequest, quantile, runLoad } from '../load/load.ts'
import { createWriter, webhookRequest } from '../load/requests.ts'
import { lower, type Sample } from '../rounds.ts'
import { type CreateScenario, drained } from './scenario.ts'

const openConversations = 10_000
const arrivingPerSecond = 10
const askedPerSecond = 20

/** A filter of each kind, and combinations of two that find much, little and nothing. */
const filters = [
  'sectorId=1',
  'personId=7',
  'category=vip',
  'tagId=1',
  'priority=high',
  'waitingMinutes=30',
  'unread=only',
  'sectorId=1&tagId=2',
  'priority=high&unread=only',
  'waitingMinutes=60&tagId=1',
  'personId=none&category=vip',
  'tagId=none&waitingMinutes=5',
]
const orders = ['start', 'waiting', 'activity']

/** S12: filtered pages of a list of ten thousand open conversations, beside ten messages a second. */
export const views: CreateScenario = (environment, { sliceMs }) => {
  const { product } = environment
  let prepared: Promise<void> | undefined

  const prepare = async () => {
    await product.db.query(
      `insert into sectors (name, color) select 'Setor ' || n, '#2563eb' from generate_series(1, 4) n
         on conflict do nothing`,
    )
    await product.db.query(
      `insert into conversation_tags (name, color)
         select 'Etiqueta ' || n, '#2563eb' from generate_series(1, 6) n on conflict do nothing`,
    )
    await product.db.query(
      `update contacts set category = (array['general', 'vip', 'lead', 'fornecedor'])[1 + id % 4]`,
    )
    await product.db.query(
      `update conversations v set
         status = case when id % 3 = 0 then 'waiting' else 'active' end,
         sub_status = case when id % 3 = 0 then 'FILA' else 'OPERADOR' end,
         waiting_for = case when id % 3 = 2 then 'client' else 'operator' end,
         waiting_since = case when id % 3 = 2 then null else now() - id % 120 * interval '1 minute' end,
         assigned_user_id = case when id % 3 = 0 then null else 1 + id % 200 end,
         completed_at = null, priority = (array['low', 'normal', 'high'])[1 + id % 3],
         sector_id = (select s.id from sectors s order by s.id offset v.id % 4 limit 1),
         tag_ids = case when id % 2 = 0 then array[1 + id % 6, 7 - (1 + id % 6)] else '{}' end
       where id <= $1`,
      [openConversations],
    )
    await product.db.query(
      `insert into conversation_reads (user_id, conversation_id, last_message_id, contact_message_count)
       select 1 + (c.id + n) % 200, c.id, 0, c.contact_message_count - n % 2
         from conversations c, generate_series(0, 9) n on conflict do nothing`,
    )
    await product.db.query('vacuum analyze')
    // A change without an event is seen within half a minute, a new start at once.
    await environment.restartProduct('stop')
  }

  const run = async (round: number): Promise<Sample> => {
    await (prepared ??= prepare())
    const write = createWriter(environment, `V${round}`)
    let turn = 0
    const page = (isFiltered: boolean) => (): HttpRequest => {
      const at = turn++
      const filter = isFiltered ? `&${filters[at % filters.length]}` : ''
      return {
        method: 'GET',
        path: `/api/conversations?page=1&limit=50&order=${orders[at % orders.length]}${filter}`,
        headers: { authorization: `Bearer ${tokenOf(1 + (at % 200))}` },
      }
    }
    const beside = async (isFiltered: boolean) => {
      const ms = Math.max(sliceMs, 5000)
      const cpu = product.child.cpuMs()
      const [pages] = await Promise.all([
        runLoad(product.http, page(isFiltered), { connections: 4, perSecond: askedPerSecond, ms }),
        runLoad(product.http, () => webhookRequest(write()), {
          connections: 2,
          perSecond: arrivingPerSecond,
          ms,
        }),
      ])
      allAnswered(pages, 200)
      const cpuMs = (product.child.cpuMs() - cpu) / pages.latencies.length
      await drained(product)
      return { latencies: pages.latencies, cpuMs }
    }
    const plain = await beside(false)
    const filtered = await beside(true)
    return {
      p50: quantile(filtered.latencies, 0.5),
      p95: quantile(filtered.latencies, 0.95),
      cpuMs: filtered.cpuMs,
      plainP95: quantile(plain.latencies, 0.95),
      plainCpuMs: plain.cpuMs,
    }
  }

  return {
    name: 'views',
    title: 'S12 views: filtered pages of 10,000 open conversations, beside ten messages a second',
    figures: [
      lower('p50', 'filtered page of 50, p50', 'ms'),
      lower('p95', 'filtered page of 50, p95', 'ms', { value: 25 }),
      lower('cpuMs', 'processor time a page, with the messages beside it', 'ms'),
      lower('plainP95', 'the same without a filter, p95', 'ms'),
      lower('plainCpuMs', 'processor time of that', 'ms'),
    ],
    sides: { ours: run },
  }
}
