import { sql } from 'drizzle-orm'
import { rows } from '#server/platform/database/db.ts'
import { eachOf, makeChats, type Person, type TwoInstances } from '../support/two-instances.ts'

const chatCount = 200

/**
 * Posts one reply two to five times at once through both instances, sometimes again later, as if the first
 * answer had been lost. There must be one message, and every answer must contain it.
 */
export async function raceRepeats(
  at: TwoInstances,
  people: Person[],
  { rounds, from, random, seed }: { rounds: number; from: number; random: () => number; seed: number },
): Promise<{ posts: number; faults: string[] }> {
  const chats = await makeChats(at, from, Math.min(chatCount, rounds))
  const faults: string[] = []
  let posts = 0
  const post = async (who: Person, instance: number, chatId: number, n: number) => {
    posts++
    const sent = { content: `uma vez ${n} (${seed})`, clientMessageId: `once-${seed}-${n}` }
    const path = `/api/conversations/${chatId}/messages`
    const { status, body } = await who.call<{ id?: number }>(instance, 'POST', path, sent)
    return `${status} ${body.id}`
  }
  await eachOf(
    Array.from({ length: rounds }, (_, n) => n),
    6,
    async (_item, n) => {
      const chat = chats[n % chats.length]
      const who = people[n % people.length]
      if (!chat || !who) throw new Error('nobody is there')
      const times = 2 + Math.floor(random() * 4)
      const answers = await Promise.all(
        Array.from({ length: times }, (_, side) => post(who, (side + n) % 2, chat.id, n)),
      )
      if (random() < 0.3) answers.push(await post(who, n % 2, chat.id, n))
      if (new Set(answers).size !== 1 || !answers[0]?.startsWith('201 '))
        faults.push(`different answers in repetition ${n}: ${answers.join(', ')}`)
    },
  )
  const many = await rows<{ id: string; n: number }>(
    at.database,
    sql`select client_message_id as id, count(*)::int as n from messages
         where client_message_id like ${`once-${seed}-%`}
         group by 1 having count(*) <> 1`,
  )
  for (const row of many) faults.push(`${row.id}: ${row.n} messages`)
  const [found] = await rows<{ n: number }>(
    at.database,
    sql`select count(*)::int as n from messages m join outbox o on o.message_id = m.id
         where client_message_id like ${`once-${seed}-%`}`,
  )
  if (found?.n !== rounds) faults.push(`${found?.n} messages of ${rounds} repeated ones`)
  return { posts, faults }
}
