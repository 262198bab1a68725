import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { quantile } from '../support/latencies.ts'
import { until } from '../support/waiting.ts'
import { rows } from '#server/platform/database/db.ts'
import type { Hearing } from './hearing.ts'
import type { Office } from './office.ts'

/** Clients' voices come all the time; what is done with them differs. */
export const modes = ['off', 'answers', 'hangs'] as const
export type Mode = (typeof modes)[number]

/** Between two voices a person replies so often. */
const repliesAVoice = 5
const perBlock = 50
/** Of nobody's measure: what is compiled, and read for the first time. */
const warmUp = 2

/** How long replies took, in milliseconds, in each block of a mode. */
export type Measured = Record<Mode, number[][]>

/**
 * Replies in short blocks, of each mode one in a round and in changing order, so that what else the machine
 * does falls on all alike.
 */
export async function measureReplies(office: Office, replies: number): Promise<Measured> {
  const measured: Measured = { off: [], answers: [], hangs: [] }
  const rounds = Math.ceil(replies / perBlock) + warmUp
  let voices = 0
  for (let round = 0; round < rounds; round++)
    for (let turn = 0; turn < modes.length; turn++) {
      const mode = modes[(round + turn) % modes.length] ?? 'off'
      await office.configure({ canTranscribe: mode !== 'off', transcribesAll: mode !== 'off' })
      const hearings: Hearing[] = [mode === 'hangs' ? 'hangs' : 'words']
      const took: number[] = []
      for (let n = 0; n < perBlock; n++) {
        if (n % repliesAVoice === 0) office.send(n, `RITMO${voices++}`, hearings)
        took.push(await reply(office, n))
        await sleep(10)
      }
      if (round >= warmUp) measured[mode].push(took)
      await settle(office)
    }
  return measured
}

async function reply({ program, token, chats }: Office, n: number): Promise<number> {
  const url = `${program.url}/api/conversations/${chats[n % chats.length]?.id}/messages`
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const startedAt = performance.now()
  const answer = await fetch(url, {
    method: 'POST',
    headers,
    body: JSON.stringify({ content: `resposta ${n}` }),
  })
  await answer.arrayBuffer()
  if (answer.status !== 201) throw new Error(`a reply was refused: ${answer.status}`)
  return performance.now() - startedAt
}

/** What one block has left is not done in the next one. */
async function settle({ database }: Office): Promise<void> {
  await until(
    'messages and files have come, and replies have left',
    () =>
      rows<{ count: number }>(
        database,
        sql`select ((select count(*) from media_fetches)
                    + (select count(*) from webhook_inbox where processed_at is null and dead_reason is null)
                    + (select count(*) from outbox where state in ('pending', 'sending')))::int as count`,
      ),
    ([row]) => row?.count === 0,
  )
  await database.execute(sql`delete from transcriptions where state in ('waiting', 'running')`)
}

/** 95 of 100 replies took at most so many milliseconds. */
export const p95 = (measured: Measured, mode: Mode): number => quantile(measured[mode].flat(), 0.95)

/** Of each round: how much longer 95 of 100 replies took than while nothing was transcribed. */
export const ratiosOf = (measured: Measured, mode: Mode): number[] =>
  measured.off.map((off, n) => quantile(measured[mode][n] ?? [], 0.95) / quantile(off, 0.95))
