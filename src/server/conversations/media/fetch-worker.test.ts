import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '#server/platform/log.ts'
import { rows } from '#server/platform/database/db.ts'
import { eventually, testDatabase, type TestDatabase, testNumber } from '#server/testing/test-app.ts'
import { startFetchWorker } from './fetch-worker.ts'

let t: TestDatabase
beforeAll(async () => {
  t = await testDatabase()
})
afterAll(() => t.close())

/** A message whose file is to be fetched. */
async function wantedFile(): Promise<number> {
  const instanceId = await testNumber(t.database)
  const [made] = await rows<{ id: number }>(
    t.database,
    sql`with contact as (insert into contacts (name) values ('Cliente') returning id),
             conversation as (insert into conversations (instance_id, contact_id, protocol)
                              select ${instanceId}, id, '20261120000001' from contact returning id),
             message as (insert into messages (conversation_id, instance_id, sender_type, content,
                                               message_type, sort_at, sent_at)
                         select id, ${instanceId}, 'contact', '', 'document', app_now(), app_now()
                           from conversation returning id)
        insert into media_fetches (message_id) select id from message returning message_id as id`,
  )
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
    const waiting = () => rows(t.database, sql`select tries from media_fetches`)
    await eventually(waiting, ({ length }) => length === 0)
    expect(fetched).toEqual([messageId, messageId])
  } finally {
    await worker.stop()
  }
})
