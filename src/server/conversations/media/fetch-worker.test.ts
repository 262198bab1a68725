import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { createLog } from '#server/platform/log.ts'
import { eventually, forAllTests, testDatabaseWithNumber } from '#server/testing/test-app.ts'
import { startFetchWorker } from './fetch-worker.ts'

let talks = 0
const t = forAllTests(testDatabaseWithNumber)

/** A message whose file is to be fetched. */
async function wantedFile(): Promise<number> {
  const protocol = `2026112000000${++talks}`
  const [made] = await t.sql<{ id: number }>`
    with contact as (insert into contacts (name) values ('Cliente') returning id),
             conversation as (insert into conversations (instance_id, contact_id, protocol)
                              select ${t.instanceId}, id, ${protocol} from contact returning id),
             message as (insert into messages (conversation_id, instance_id, sender_type, content,
                                               message_type, sort_at, sent_at)
                         select id, ${t.instanceId}, 'contact', '', 'document', app_now(), app_now()
                           from conversation returning id)
        insert into media_fetches (message_id) select id from message returning message_id as id`
  return made?.id ?? 0
}

test('a fetch that the database breaks off is begun again at once when the database is back', async () => {
  const messageId = await wantedFile()
  const fetched: number[] = []
  let isDown = true
  const worker = startFetchWorker(
    t.database,
    {
      hasRoom: () => Promise.resolve(true),
      fetchFile(id) {
        fetched.push(id)
        if (!isDown) return Promise.resolve(undefined)
        isDown = false
        const terminated = new Error('terminating connection due to administrator command')
        return Promise.reject(Object.assign(terminated, { code: '57P01', severity: 'FATAL' }))
      },
    },
    createLog('silent'),
  )
  try {
    const waiting = () => t.sql`select tries from media_fetches`
    await eventually(waiting, { length: 0 })
    expect(fetched).toEqual([messageId, messageId])
  } finally {
    await worker.stop()
  }
})

test('a fetch that could not even be postponed is begun again too', async () => {
  const messageId = await wantedFile()
  const fetched: number[] = []
  const refuse = (what: string) =>
    t.database.execute(sql.raw(what)).then(() => Promise.reject(new Error('the gateway is away')))
  const worker = startFetchWorker(
    t.database,
    {
      hasRoom: () => Promise.resolve(true),
      async fetchFile(id) {
        fetched.push(id)
        if (fetched.length > 1) return undefined
        // What a full disk does to the next statement alone.
        return refuse(`
          create sequence refusals;
          create function no_room() returns trigger language plpgsql as $$ begin
            if nextval('refusals') = 1 then
              raise exception 'could not extend file' using errcode = '53100';
            end if;
            return new; end $$;
          create trigger no_room before update on media_fetches for each row execute function no_room()`)
      },
    },
    createLog('silent'),
  )
  try {
    await eventually(() => t.sql`select tries from media_fetches`, { length: 0 })
    expect(fetched).toEqual([messageId, messageId])
  } finally {
    await worker.stop()
  }
})
