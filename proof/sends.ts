import { sql } from 'drizzle-orm'
import { rows } from '#server/platform/db.ts'
import { createRandom } from '#simulator/random.ts'
import { readOptions, say } from './command.ts'
import { allCases, type Case, nameOf, sendTimeoutMs } from './sends/cases.ts'
import { eachOf, makeChats, startTwoInstances, type TwoInstances, untilQuiet } from './sends/two-instances.ts'
import { judge, type Sent, table } from './sends/verdict.ts'

/**
 * `npm run sends -- --sends 10000 --seed 7`: two instances send so many replies through a gateway that answers them in
 * every way it can, and holds what the phones got against what the console shows. Each message must have reached its phone
 * exactly once and stand as sent, or stand as failed or being verified and have reached it once at most.
 * `--lying` adds what nobody can tell apart: arrived, not echoed, and not in a record that is kept. `--copies` adds a gateway
 * that sends twice by itself: one bubble, and the second id noted.
 */
const asked = readOptions({ sends: 10_000, chats: 500, lying: false, copies: false })
const { sends: count, seed } = asked
const chatCount = Math.min(asked.chats, count)
const random = createRandom(seed)

/** The product's minutes as seconds: what is waited for is the same, in the same proportion. */
const outboxTimes = { leaseMs: 5000, breakerMs: 20, lookMs: 500, doubtMs: 2500, giveUpMs: 120_000 }

interface Planned {
  text: string
  chat: number
  plan: Case
}

function planAll(): Planned[] {
  const cases = allCases(asked)
  return Array.from({ length: count }, (_, n) => {
    // Every case as often as every other, in an order of the seed's.
    const plan = cases[n % cases.length] as Case
    return { plan, text: `resposta ${n} (${seed})`, chat: Math.floor(random() * chatCount) }
  }).toSorted(() => random() - 0.5)
}

async function run(at: TwoInstances): Promise<boolean> {
  const operator = await at.signIn('operator', 'ana')
  const chats = await makeChats(at, 0, chatCount)
  const planned = planAll()
  at.simulator.control.nextSendAnswers(
    planned.flatMap(({ text, plan }) => Array.from({ length: plan.times }, () => ({ ...plan.script, text }))),
  )
  const startedAt = performance.now()
  const seconds = () => Math.round((performance.now() - startedAt) / 1000)
  await eachOf(planned, 12, async ({ text, chat }, n) => {
    const path = `/api/conversations/${chats[chat]?.id}/messages`
    const answer = await operator.call(n % 2, 'POST', path, {
      content: text,
      clientMessageId: `send-${seed}-${n}`,
    })
    if (answer.status !== 201) throw new Error(`resposta não aceita: ${answer.status}`)
  })
  say(`  ${count} respostas aceitas em ${seconds()} s`)
  let toldAt = performance.now()
  const stuck = await untilQuiet(at, {
    stuckAfterMs: outboxTimes.giveUpMs + 30_000,
    onLook(left) {
      if (performance.now() - toldAt < 15_000) return
      toldAt = performance.now()
      say(`  ${seconds()} s: ${left}`)
    },
  })
  const stored = await rows<Sent & Record<string, unknown>>(
    at.database,
    sql`select m.id, m.conversation_id as "conversationId", m.content, m.delivery_status as status, o.state, o.tries
          from messages m left join outbox o on o.message_id = m.id
         where m.sender_type = 'user' and m.message_type <> 'event' order by m.conversation_id, m.sort_at, m.id`,
  )
  const { received } = at.simulator.control.oracle()
  const verdict = judge(
    planned.map(({ text, plan }) => ({ text, plan, name: nameOf(plan) })),
    stored,
    received,
  )
  if (stuck) verdict.faults.push(`parado: ${stuck}`)
  for (const line of table(verdict.rows)) say(line)
  say(
    `semente ${seed}: ${count} envios em ${chatCount} conversas, ${seconds()} s; espera ${sendTimeoutMs} ms`,
  )
  say(
    `no celular 0 vezes: ${verdict.got[0]}; uma: ${verdict.got[1]}; mais: ${verdict.got[2]}; ` +
      `enviadas: ${verdict.sent}; falhas visíveis: ${verdict.failed}; em verificação: ${verdict.unknown}`,
  )
  for (const fault of verdict.faults.slice(0, 40)) say(`  FALHA ${fault}`)
  say(
    verdict.faults.length === 0
      ? 'Cada mensagem chegou uma vez, ou mostra que não.'
      : `${verdict.faults.length} falhas`,
  )
  return verdict.faults.length === 0
}

const at = await startTwoInstances({
  gatewayTimes: { sendMs: sendTimeoutMs },
  outboxTimes,
  simulator: { seed, echoMs: 300, serverAckMs: 20, deliveryAckMs: 60 },
})
try {
  process.exitCode = (await run(at)) ? 0 : 1
} finally {
  await at.close()
}
