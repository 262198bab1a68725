import { runLoad } from '../load/load.ts'
import type { Check } from '../rounds.ts'
import { createWriter, webhookRequest } from '../load/requests.ts'
import type { Environment } from '../environment/environment.ts'
import { drained, type CreateScenario, queryNumber } from './scenario.ts'

const kills = 3

/** S11: kills the program during incoming messages and starts it again. */
export const kill: CreateScenario = (environment, { sliceMs }) => ({
  name: 'kill',
  title: `S11 kill -9 during ingest, ${kills} times`,
  rounds: 0,
  figures: [],
  sides: {},
  finish: async () => {
    const acknowledged: string[] = []
    for (let n = 0; n < kills; n++) acknowledged.push(...(await oneKill(environment, n, sliceMs)))
    await drained(environment.product)
    return await judge(environment, acknowledged)
  },
})

/** @returns the ids that were answered 200 */
async function oneKill(environment: Environment, n: number, sliceMs: number): Promise<string[]> {
  const write = createWriter(environment, `K${n}K`)
  const ids: string[] = []
  let isOver = false
  const posting = Promise.all(
    Array.from({ length: 8 }, async () => {
      while (!isOver) {
        const written = write()
        const { statuses } = await runLoad(environment.product.http, () => webhookRequest(written), {
          connections: 1,
          count: 1,
        })
        if (statuses.has(200)) ids.push(written.id)
        else if (!isOver) await new Promise((resolve) => setTimeout(resolve, 20))
      }
    }),
  )
  await new Promise((resolve) => setTimeout(resolve, sliceMs))
  await environment.restartProduct('kill')
  await new Promise((resolve) => setTimeout(resolve, sliceMs / 2))
  isOver = true
  await posting
  return ids
}

async function judge(environment: Environment, acknowledged: string[]): Promise<Check[]> {
  const { product } = environment
  const lost = await queryNumber(
    product,
    `select count(*)::int as n from unnest($1::text[]) w(id)
      where not exists (select 1 from messages m where m.whatsapp_message_id = w.id)`,
    [acknowledged],
  )
  const doubled = await queryNumber(
    product,
    `select count(*)::int as n from (select whatsapp_message_id from messages
        where whatsapp_message_id ~ '^K[0-9]K'
       group by 1 having count(*) > 1) twice`,
  )
  const halves = await queryNumber(
    product,
    `select count(*)::int as n from conversations c
      where exists (select 1 from messages m where m.conversation_id = c.id
            and m.whatsapp_message_id ~ '^K[0-9]K')
        and (c.message_count <> (select count(*) from messages m where m.conversation_id = c.id)
             or c.last_message_id is distinct from (select m.id from messages m where m.conversation_id = c.id
                                                     order by m.sort_at desc, m.id desc limit 1))`,
  )
  const total = acknowledged.length
  return [
    { title: 'lost', holds: lost === 0 && total > 0, detail: `${lost} of ${total} acknowledged` },
    { title: 'duplicated', holds: doubled === 0, detail: String(doubled) },
    { title: 'half-written conversations', holds: halves === 0, detail: String(halves) },
  ]
}
