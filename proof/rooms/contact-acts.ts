import { sql } from 'drizzle-orm'
import { notifyContactsChanged } from '#server/conversations/store/write.ts'
import { inTransaction, rows } from '#server/platform/database/db.ts'
import { type MakeThings, neverId, ofTalks } from '../references/thing.ts'
import { type Acts, administratorOf, onTalk, someone, write } from '../walk/writing.ts'
import type { Talk, World } from '../walk/world.ts'

export const things = {
  contact: ofTalks(({ contactId }) => contactId),
  // Administrators alone see them.
  merge: () => Promise.resolve({ foreign: neverId, archived: neverId, deleted: neverId, never: neverId }),
} satisfies MakeThings

export const acts = {
  'a name of the address book': [
    2,
    (world) => world.happens(someone(world).person.isCalled(`Nome ${++world.count}`)),
  ],
  'a contact is renamed': [
    2,
    onTalk((world, talk) =>
      inTransaction(world.database, async (db) => {
        const [changed] = await rows<{ id: number }>(
          db,
          sql`update contacts set name = ${`Maria ${++world.count}`}
               where id = (select contact_id from conversations where id = ${talk.id}) returning id`,
        )
        await notifyContactsChanged(db, changed ? [changed.id] : [])
      }),
    ),
  ],
  'a contact is blocked': [1, onTalk((world, talk) => changeContact(world, talk, 'POST', '/block'))],
  'a contact is freed, deleted or restored': [
    2,
    onTalk((world, talk) => {
      const dice = world.random()
      if (dice < 0.5) return changeContact(world, talk, 'POST', '/unblock')
      return dice < 0.75
        ? changeContact(world, talk, 'DELETE', '')
        : changeContact(world, talk, 'POST', '/restore')
    }, 'completed'),
  ],
  'two contacts are one': [
    2,
    async (world) => {
      const client = someone(world)
      await write(world, client, client.person.writes('x', 1, { address: 'lid' }) as never)
      if (world.random() < 0.7)
        await write(world, client, client.person.writes('x', 1, { address: 'both' }) as never)
    },
  ],
} satisfies Acts

/** A call of an administrator about the contact of a conversation. */
async function changeContact(world: World, { id }: Talk, method: string, path: string): Promise<unknown> {
  const [found] = await rows<{ contactId: number }>(
    world.database,
    sql`select contact_id as "contactId" from conversations where id = ${id}`,
  )
  return found && world.request(administratorOf(world), method, `/api/contacts/${found.contactId}${path}`)
}
