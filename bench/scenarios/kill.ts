import { shoot } from '../load.ts'
import type { Check } from '../rounds.ts'
import { createWriter, webhookShot } from '../shots.ts'
import type { Stage } from '../stage.ts'
import { drained, type MakeScenario, one } from './plan.ts'

const kills = 3

/** S11: the program ends without a warning in the middle of the entrance, and starts again. */
export const kill: MakeScenario = (stage, { sliceMs }) => ({
  name: 'kill',
  title: `S11 kill -9 durante a entrada, ${kills} vezes`,
  rounds: 0,
  figures: [],
  sides: {},
  finish: async () => {
    const acknowledged: string[] = []
    for (let n = 0; n < kills; n++) acknowledged.push(...(await oneKill(stage, n, sliceMs)))
    await drained(stage.product)
    return await judge(stage, acknowledged)
  },
})

/** @returns the ids that were answered 200 */
async function oneKill(stage: Stage, n: number, sliceMs: number): Promise<string[]> {
  const write = createWriter(stage, `K${n}K`)
  const ids: string[] = []
  let isOver = false
  const posting = Promise.all(
    Array.from({ length: 8 }, async () => {
      while (!isOver) {
        const written = write()
        const { statuses } = await shoot(stage.product.http, () => webhookShot(written), {
          connections: 1,
          count: 1,
        })
        if (statuses.has(200)) ids.push(written.id)
        else if (!isOver) await new Promise((resolve) => setTimeout(resolve, 20))
      }
    }),
  )
  await new Promise((resolve) => setTimeout(resolve, sliceMs))
  await stage.restartProduct('kill')
  await new Promise((resolve) => setTimeout(resolve, sliceMs / 2))
  isOver = true
  await posting
  return ids
}

async function judge(stage: Stage, acknowledged: string[]): Promise<Check[]> {
  const { product } = stage
  const lost = await one(
    product,
    `select count(*)::int as n from unnest($1::text[]) w(id)
      where not exists (select 1 from messages m where m.whatsapp_message_id = w.id)`,
    [acknowledged],
  )
  const doubled = await one(
    product,
    `select count(*)::int as n from (select whatsapp_message_id from messages where whatsapp_message_id ~ '^K[0-9]K'
       group by 1 having count(*) > 1) twice`,
  )
  const halves = await one(
    product,
    `select count(*)::int as n from conversations c
      where exists (select 1 from messages m where m.conversation_id = c.id and m.whatsapp_message_id ~ '^K[0-9]K')
        and (c.message_count <> (select count(*) from messages m where m.conversation_id = c.id)
             or c.last_message_id is distinct from (select m.id from messages m where m.conversation_id = c.id
                                                     order by m.sort_at desc, m.id desc limit 1))`,
  )
  const total = acknowledged.length
  return [
    { title: 'perdidas', holds: lost === 0 && total > 0, said: `${lost} de ${total} confirmadas` },
    { title: 'dobradas', holds: doubled === 0, said: String(doubled) },
    { title: 'conversas pela metade', holds: halves === 0, said: String(halves) },
  ]
}
