import { sql } from 'drizzle-orm'
import { rows } from '#server/platform/database/db.ts'
import type { Random } from '#simulator/random.ts'
import { defineScenario } from '../support/scenario.ts'
import { eachOf, makeChats, startTwoInstances, checkEnd, untilQuiet } from '../support/two-instances.ts'
import { allCases, type Case, nameOf, sendTimeoutMs } from './cases.ts'
import { compareSends, formatCases, type Sent } from './verdict.ts'

/** The product's delays, with seconds instead of minutes. */
const outboxTimes = { leaseMs: 5000, breakerMs: 20, verifyMs: 500, absentMs: 2500, giveUpMs: 120_000 }

interface Planned {
  text: string
  /** The index of the chat. */
  chat: number
  plan: Case
}

interface PlanOptions {
  sends: number
  chats: number
  lying: boolean
  copies: boolean
  seed: number
}

function planSends(options: PlanOptions, random: Random): Planned[] {
  const { sends: count, chats, seed } = options
  const cases = allCases(options)
  return Array.from({ length: count }, (_, n) => {
    // Every case equally often, shuffled by the seed.
    const plan = cases[n % cases.length] as Case
    return { plan, text: `resposta ${n} (${seed})`, chat: Math.floor(random() * Math.min(chats, count)) }
  }).toSorted(() => random() - 0.5)
}

/**
 * Two instances send replies through a gateway that answers in every possible way. Each message must have
 * reached its phone exactly once and be shown as sent, or have reached it at most once and be shown as failed
 * or unconfirmed. `lying` adds messages that arrived without echo and record. `copies` adds a gateway that
 * sends twice by itself: there must be one bubble that has both ids.
 */
export const sends = defineScenario({
  options: { sends: 10_000, chats: 500, lying: false, copies: false },
  nightly: { sends: 1000 },

  async arrange({ options: { seed }, defer }) {
    const at = await startTwoInstances({
      gatewayTimes: { sendMs: sendTimeoutMs },
      outboxTimes,
      simulator: { seed, echoMs: 300, serverAckMs: 20, deliveryAckMs: 60 },
    })
    defer(at.close)
    return at
  },

  async act(at, { options, random, print, seconds }) {
    const { sends: count, seed } = options
    const operator = await at.signIn('operator', 'ana')
    const chats = await makeChats(at, 0, Math.min(options.chats, count))
    const planned = planSends(options, random)
    at.simulator.control.nextSendAnswers(
      planned.flatMap(({ text, plan }) =>
        Array.from({ length: plan.times }, () => ({ ...plan.script, text })),
      ),
    )
    await eachOf(planned, 12, async ({ text, chat }, n) => {
      const path = `/api/conversations/${chats[chat]?.id}/messages`
      const answer = await operator.call(n % 2, 'POST', path, {
        content: text,
        clientMessageId: `send-${seed}-${n}`,
      })
      if (answer.status !== 201) throw new Error(`a reply was refused: ${answer.status}`)
    })
    print(`  ${count} replies accepted after ${seconds()} s`)
    let printedAt = performance.now()
    const stuck = await untilQuiet(at, {
      stuckAfterMs: outboxTimes.giveUpMs + 30_000,
      onProgress(left) {
        if (performance.now() - printedAt < 15_000) return
        printedAt = performance.now()
        print(`  ${seconds()} s: ${left}`)
      },
    })
    return { planned, stuck }
  },

  async check({ planned, stuck }, at, { options, print }) {
    const stored = await rows<Sent & Record<string, unknown>>(
      at.database,
      sql`select m.id, m.conversation_id as "conversationId", m.content, m.delivery_status as status,
          o.state, o.tries
            from messages m left join outbox o on o.message_id = m.id
           where m.sender_type = 'user' and m.message_type <> 'event'
           order by m.conversation_id, m.sort_at, m.id`,
    )
    const { received } = at.simulator.control.oracle()
    const verdict = compareSends(
      planned.map(({ text, plan }) => ({ text, plan, name: nameOf(plan) })),
      stored,
      received,
    )
    for (const line of formatCases(verdict.rows)) print(line)
    print(
      `on the phone 0 times: ${verdict.got[0]}; once: ${verdict.got[1]}; more often: ${verdict.got[2]}; ` +
        `sent: ${verdict.sent}; visibly failed: ${verdict.failed}; being verified: ${verdict.unknown}; ` +
        `timeout ${sendTimeoutMs} ms`,
    )
    const count = options.sends
    return [
      {
        property: 'each reply arrived once, or is shown as not sent',
        checked: count,
        faults: verdict.faults,
      },
      {
        property: 'phones received each conversation in its order',
        checked: count,
        faults: verdict.disorder,
      },
      ...checkEnd(at, stuck),
    ]
  },
})
