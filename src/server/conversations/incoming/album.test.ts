import { expect, test } from 'vitest'
import { createInboxWriter, startInboxWorker } from '#server/gateway/gateway.ts'
import { parseWebhook } from '#server/gateway/evolution/parse/webhook.ts'
import { createLog } from '#server/platform/log.ts'
import { atNight } from '#server/testing/nightly.ts'
import { eventually, forAllTests, testDatabaseWithNumber } from '#server/testing/test-app.ts'
import { eventHandlers } from '#server/conversations/conversations.ts'

const t = forAllTests(testDatabaseWithNumber)

const contacts = atNight(60, 24)
const pictures = 10

/** Of each contact by turns: known by number, by LID, by both. */
function keyOf(contact: number, picture: number) {
  const phone = `55119${String(contact).padStart(8, '0')}@s.whatsapp.net`
  const lid = `88${String(contact).padStart(10, '0')}@lid`
  const id = `ALBUM${contact}P${picture}`
  const address = [{ remoteJid: phone }, { remoteJid: lid }, { remoteJid: phone, remoteJidAlt: lid }][
    picture % 3
  ]
  return { ...address, fromMe: false, id }
}

test('ten pictures at once of each new person make one contact and one conversation', async () => {
  const log = createLog('silent')
  const other = t.openAgain()
  const writers = [createInboxWriter(t.database), createInboxWriter(other)]
  const workers = [t.database, other].map((database) => startInboxWorker(database, log, eventHandlers))
  const sentAt = Math.floor(Date.now() / 1000)
  const bodies = Array.from({ length: contacts * pictures }, (_, n) => {
    const [contact, picture] = [Math.floor(n / pictures), n % pictures]
    return {
      event: 'messages.upsert',
      instance: 'loja1',
      data: {
        key: keyOf(contact, picture),
        pushName: `Pessoa ${contact}`,
        message: { imageMessage: { caption: `foto ${picture}`, mimetype: 'image/jpeg' } },
        messageType: 'imageMessage',
        messageTimestamp: sentAt,
      },
    }
  })
  await Promise.all(
    bodies.map(async (payload, n) => {
      const { instance: instanceName, ...parsed } = parseWebhook(payload)
      await writers[n % 2]?.store({ ...parsed, instanceId: t.instanceId, instanceName, payload })
    }),
  )
  await eventually(
    () => t.sql<{ left: number }>`select count(*)::int as left from webhook_inbox where processed_at is null`,
    { 0: { left: 0 } },
    60_000,
  )
  await Promise.all(workers.map((worker) => worker.stop()))
  const [found] =
    await t.sql`select (select count(*)::int from contacts where deleted_at is null) as contacts,
               (select count(*)::int from conversations where status <> 'completed') as open,
               (select count(distinct conversation_id)::int from messages) as talks,
               (select count(*)::int from messages) as messages,
               (select count(*)::int from queue_pending_conversations where processed_at is null) as queued`
  expect(found).toEqual({
    contacts,
    open: contacts,
    talks: contacts,
    messages: contacts * pictures,
    queued: contacts,
  })
}, 120_000)
