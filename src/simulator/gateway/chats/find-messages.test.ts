import { beforeAll, expect, it } from 'vitest'
import { benchForAllTests, maria } from '#simulator/test-receiver.ts'

const jid = `${maria.number}@s.whatsapp.net`
function minute(index: number) {
  return new Date(Date.UTC(2026, 10, 20, 10, index)).toISOString()
}

const { control, receiver, post, sendText } = benchForAllTests()
beforeAll(async () => {
  for (let index = 0; index < 60; index += 1)
    control.send('maria', { kind: 'text', text: `m${index}`, id: `AC${index}`, at: minute(index) })
  control.createPhone({
    id: 'lid',
    name: 'Lia',
    number: '5511966665555',
    lid: '111222333',
    identity: 'lid-2.3.6',
  })
  control.send('lid', { kind: 'text', text: 'lid', at: minute(1) })
  await sendText('nossa')
  await receiver.until('messages.update', 2)
})

async function find(body: object) {
  return (await post('chat/findMessages', body)).body.messages
}

it('the search of messages answers newest first, fifty a page, where offset is the page size', async () => {
  const first = await find({ where: { key: { remoteJid: jid } } })
  expect([first.total, first.pages, first.currentPage, first.records.length]).toEqual([61, 2, 1, 50])
  expect(first.records[0].message.conversation).toBe('nossa')
  expect(first.records[1].message.conversation).toBe('m59')
  const third = await find({ where: { key: { remoteJid: jid } }, offset: 10, page: 3 })
  expect(third.records.map((row: { key: { id: string } }) => row.key.id)[0]).toBe('AC40')
  expect(third.pages).toBe(7)
})

it('the search of messages looks at a time window only when both ends are given', async () => {
  const both = { messageTimestamp: { gte: minute(10), lte: minute(19) } }
  expect((await find({ where: both })).total).toBe(10)
  expect((await find({ where: { messageTimestamp: { gte: minute(10) } } })).total).toBe(62)
  expect((await find({ where: { messageTimestamp: { lte: minute(10) } } })).total).toBe(62)
})

it('the search of messages filters our own messages, but not the others', async () => {
  expect((await find({ where: { key: { fromMe: true } } })).total).toBe(1)
  expect((await find({ where: { key: { fromMe: false } } })).total).toBe(62)
})

it('the search of messages keeps the status history of a message', async () => {
  const [row] = (await find({ where: { key: { fromMe: true } } })).records
  expect(row.MessageUpdate).toEqual([{ status: 'SERVER_ACK' }, { status: 'DELIVERY_ACK' }])
  expect(Object.keys(row)).toEqual(
    expect.arrayContaining([
      'id',
      'key',
      'pushName',
      'messageType',
      'message',
      'messageTimestamp',
      'instanceId',
      'source',
      'contextInfo',
    ]),
  )
})

it('the search of messages finds a LID chat by its LID, or by the phone in remoteJidAlt', async () => {
  expect((await find({ where: { key: { remoteJid: '111222333@lid' } } })).total).toBe(1)
  expect((await find({ where: { key: { remoteJidAlt: '5511966665555@s.whatsapp.net' } } })).total).toBe(1)
  expect((await find({ where: { key: { remoteJid: '5511966665555@s.whatsapp.net' } } })).total).toBe(0)
})

it('the search of messages refuses an empty jid in its own words', async () => {
  const { status, body } = await post('chat/findMessages', {
    where: { key: { remoteJid: '' } },
  })
  expect([status, body.response.message]).toEqual([400, [['The property cannot be empty']]])
})
