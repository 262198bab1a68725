import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { rows } from '#server/platform/database/db.ts'
import type { Random } from '#simulator/random.ts'
import type { Result } from '../support/scenario.ts'
import type { Chat, TwoInstances } from '../support/two-instances.ts'

/** Clients who write, and a person who answers, until it is stopped. */
export interface Traffic {
  /** What was said by now and has not arrived yet. `left` lists what has still not. */
  underWay(): { left(): Promise<string[]> }
  counts(): string
  /** Resolves when no call is under way. May be called again. */
  stop(): Promise<void>
  /** That all has arrived, once. */
  check(): Promise<Result[]>
}

/** Pauses between two messages of clients, and between two replies. */
const writeEveryMs = 150
const replyEveryMs = 300

/** Somebody who signs in again whenever the session has ended, as it does when days seem to have passed. */
function createPerson(at: TwoInstances, username: string) {
  let token: string | undefined
  const signIn = async (instance: number) => {
    const { status, body } = await at.login(instance, username)
    if (status !== 200) throw new Error(`${username} could not sign in: ${status}`)
    token = (body as { token: string }).token
  }
  return async (instance: number, path: string, sent: object): Promise<number> => {
    for (let tries = 0; ; tries++) {
      if (token === undefined) await signIn(instance)
      const answer = await fetch(`${at.apps[instance]?.url}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(sent),
      })
      await answer.arrayBuffer()
      if ((answer.status !== 401 && answer.status < 500) || tries === 9) return answer.status
      // Of a statement that the database ended; the same call once more has no other effect.
      if (answer.status >= 500) await sleep(500)
      else token = undefined
    }
  }
}

export async function startTraffic(at: TwoInstances, chats: Chat[], random: Random): Promise<Traffic> {
  const ana = await at.signIn('admin', 'ana')
  const call = createPerson(at, ana.username)
  const one = <Item>(of: readonly Item[]) => of[Math.floor(random() * of.length)] as Item
  const written: string[] = []
  const replied: string[] = []
  /** Statuses of replies that were not taken. */
  const refused: string[] = []
  let isOver = false

  const writing = (async () => {
    for (let n = 0; !isOver; n++) {
      const text = `w${n}`
      at.simulator.control.sendText(one(chats).phoneId, text)
      written.push(text)
      await sleep(writeEveryMs)
    }
  })()
  const replying = (async () => {
    for (let n = 0; !isOver; n++) {
      const content = `r${n}`
      const path = `/api/conversations/${one(chats).id}/messages`
      const status = await call(n % 2, path, { content, clientMessageId: crypto.randomUUID() })
      if (status === 201) replied.push(content)
      else refused.push(`${content}: ${status}`)
      await sleep(replyEveryMs)
    }
  })()

  /** How often each text has come, of the clients' in the database, and of the replies at the phones. */
  const stored = async () => {
    const found = await rows<{ text: string; times: number; isOpen: boolean }>(
      at.database,
      sql`select m.content as text, count(*)::int as times,
                   bool_and(c.status <> 'completed') as "isOpen"
            from messages m join conversations c on c.id = m.conversation_id
           where m.sender_type = 'contact' group by m.content`,
    )
    return new Map(found.map((row) => [row.text, row]))
  }
  const received = () => {
    const texts = Map.groupBy(at.simulator.control.oracle().received, ({ text }) => text)
    return new Map([...texts].map(([text, entries]) => [text, entries.length]))
  }

  const stop = async () => {
    isOver = true
    await Promise.all([writing, replying])
  }
  return {
    stop,
    counts: () => `${written.length} messages, ${replied.length} replies`,
    underWay() {
      let due = { written: [...written], replied: [...replied] }
      return {
        async left() {
          const [here, there] = [await stored(), received()]
          due = {
            // What came while the clock was days ahead is history until the clock is right.
            written: due.written.filter((text) => here.get(text)?.isOpen !== true),
            replied: due.replied.filter((text) => !there.has(text)),
          }
          return [...due.written, ...due.replied]
        },
      }
    },
    async check() {
      const [here, there] = [await stored(), received()]
      const timesOf = (texts: string[], times: (text: string) => number | undefined) =>
        texts.flatMap((text) => (times(text) === 1 ? [] : [`${text}: ${times(text) ?? 0} times`]))
      return [
        {
          property: 'every message of a client is stored once',
          checked: written.length,
          faults: timesOf(written, (text) => here.get(text)?.times),
        },
        {
          property: 'every message is in an open conversation',
          checked: written.length,
          faults: written.filter((text) => here.get(text)?.isOpen === false),
        },
        {
          property: 'every reply arrives once',
          checked: replied.length,
          faults: timesOf(replied, (text) => there.get(text)),
        },
        { property: 'every reply is taken', checked: replied.length, faults: refused },
      ]
    },
  }
}
