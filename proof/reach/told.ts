import { sql } from 'drizzle-orm'
import { reads } from './law.ts'
import type { Lists } from './listing.ts'
import { type Reader, readers } from './people.ts'
import { canary, type Talk } from './talks.ts'
import type { ReachWorld } from './world.ts'

// What people were told of, by the bell: of what they do not read any more there is nothing but that it was.

/** The conversations of which a person was told, also of times in which they saw more. */
const toldOf = (talks: readonly Talk[], n: number) =>
  talks.filter(({ owner }) => owner === undefined || owner === n)

/** Everybody was mentioned everywhere. */
export async function tellEverybody({ world, talks }: ReachWorld): Promise<void> {
  const rows = readers.flatMap((_reader, n) =>
    toldOf(talks, n).map(({ id, replyId }) => ({
      id,
      message_id: replyId,
      user_id: world.callers[n]?.userId,
    })),
  )
  await world.database.execute(
    sql`insert into notifications (user_id, kind, conversation_id, message_id, actor_id)
        select user_id, 'mention', id, message_id, ${world.colleague.userId}
          from json_to_recordset(${JSON.stringify(rows)}::json) as w(id int, message_id int, user_id int)
        on conflict do nothing`,
  )
}

interface Page {
  notifications: { id: number; about: { conversationId: number } | null }[]
  next: string | null
}

/** The list of a person: whole of what they read, and veiled of the others. */
export async function toldLists(lists: Lists, { talks }: ReachWorld, n: number): Promise<void> {
  if (!lists.has('canViewConversations')) return
  const told = toldOf(talks, n)
  const readable = told.filter((talk) => reads(readers[n] as Reader, n, talk))
  const address = '/api/notifications?tab=mentions'
  const found: Page['notifications'] = []
  for (let before: string | null = ''; before !== null;) {
    const page: Page | undefined = await lists.get<Page>(address + (before && `&before=${before}`))
    found.push(...(page?.notifications ?? []))
    before = page?.next ?? null
  }
  const about = found.flatMap((one) => one.about ?? [])
  lists.ids(
    address,
    about.map(({ conversationId }) => conversationId),
    readable,
  )
  const veiled = found.filter((one) => one.about === null)
  lists.same(`${address}: how many are veiled`, veiled.length, told.length - readable.length)
  lists.same(`${address}: what the veiled tell`, JSON.stringify(veiled).includes(canary), false)
}
