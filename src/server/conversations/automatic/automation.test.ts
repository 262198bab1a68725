import { plainWho } from '#server/testing/plain-who.ts'
import { sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { SystemSettings } from '#shared/settings/settings.ts'
import { defaultFlags } from '#shared/users/default-flags.ts'
import type { GatewayEvent, IncomingMessage } from '#server/gateway/gateway.ts'
import type { Who } from '#server/platform/http/access.ts'
import { inTransaction, type Tx } from '#server/platform/database/db.ts'
import { getSettings, saveSettings } from '#server/settings/settings.ts'
import { createUser } from '#server/users/users.ts'
import { movableClock } from '#server/testing/database/movable-clock.ts'
import { resetSettings } from '#server/testing/quiet-settings.ts'
import { forAllTests, testDatabaseWithNumber } from '#server/testing/test-app.ts'
import { positionOf } from '#server/automation/automation.ts'
import { assign, transfer } from '#server/conversations/acts/assign.ts'
import { takeNext } from '#server/conversations/acts/take-next.ts'
import { complete } from '#server/conversations/acts/complete.ts'
import { handleGatewayEvent } from '#server/conversations/conversations.ts'
import { closeSilent } from './inactivity.ts'
import { handleBatch } from '#server/conversations/incoming/batch.ts'
import { sendReply } from '#server/conversations/outgoing/reply.ts'
import { sendToContact } from '#server/conversations/outgoing/start.ts'
import { distribute, sendPositions } from './queue-turns.ts'
import { openUnasked, queueUndecided, trimCancelled } from './choice-expiry.ts'
import { saying } from '#server/testing/test-person.ts'
import { recordFailed } from '#server/conversations/messages/sent.ts'
import { lockConversation } from '#server/conversations/store/lock.ts'
import { updateConversation, type ConversationChange } from '#server/conversations/store/change.ts'

/** What is said automatically, so short that a test can read it. */
const texts: Partial<SystemSettings> = {
  isAutoReplyEnabled: true,
  autoReplyMessage: 'fechado',
  queueMessage: 'fila {{position}}',
  queueWelcomeMessage: 'boas-vindas',
  queuePositionUpdateMessage: 'agora {{position}}',
  blockedFileMessage: 'esse tipo não',
  inactivityMessage: 'encerrado',
  inactivityWarningMessage: 'ainda aí?',
  finalizationMessage: 'tchau',
  ratingMessage: 'nota?',
  preAttendanceMessage: '1 ou 2',
  preAttendanceInvalidMessage: 'não entendi',
  preAttendanceCancelMessage: 'até logo',
}
/** A Tuesday, ten in the morning in São Paulo. */
const tuesday = new Date('2027-03-09T10:00:00-03:00')

const t = forAllTests(testDatabaseWithNumber)
const clock = forAllTests(() => movableClock(t.database))

beforeAll(() => t.sql`update evolution_api_config set status = 'open'`)
beforeEach(async () => {
  await t.sql`delete from conversations`
  await t.sql`delete from presence`
  await t.sql`update evolution_api_config set troubled_at = null, status = 'open', breaker_until = null`
  await resetSettings(t.database)
  await saveSettings(t.database, texts)
  await clock.set(tuesday)
})

let people = 0

/** Somebody new, who writes at the product's own time. */
function client() {
  const number = ++people
  const phone = `55118${String(number).padStart(8, '0')}`
  let said = 0
  const event = (
    content: string,
    sentAt: Date,
    more: Partial<IncomingMessage['content']> = {},
  ): IncomingMessage => ({
    kind: 'message',
    waId: `c${number}-${++said}`,
    peer: { phone, lid: undefined, jid: `${phone}@s.whatsapp.net` },
    origin: 'contact',
    name: `Cliente ${number}`,
    sentAt,
    content: saying(content, more),
    quoted: undefined,
    isHistory: false,
  })
  return {
    phone,
    event,
    /** What was said before has arrived. */
    async writes(content: string, more?: Partial<IncomingMessage['content']>) {
      await deliver(phone, 2000)
      await feed(event(content, await clock.now(), more))
    },
    /** What was said last has not arrived yet. */
    async writesAtOnce(content: string) {
      await feed(event(content, await clock.now()))
    },
    async wroteBefore(content: string, ms: number) {
      await feed(event(content, new Date((await clock.now()).getTime() - ms)))
    },
  }
}
type Client = ReturnType<typeof client>

/** WhatsApp has all that is said to somebody, since some milliseconds. */
const deliver = (phone: string, agoMs = 0) =>
  t.sql`with m as (
          update messages m set delivery_status = 'sent',
                 accepted_at = app_now() - ${agoMs} * interval '1 millisecond'
            from conversations v join contacts c on c.id = v.contact_id
           where v.id = m.conversation_id and c.phone = ${phone} and m.delivery_status = 'pending'
          returning m.id)
        update outbox o set state = 'sent' from m where m.id = o.message_id`

async function feed(event: GatewayEvent): Promise<void> {
  await inTransaction(t.database, async (db) => {
    // As the inbox does: the quick way first, for whatever is plain.
    const [isDone] = await handleBatch(db, t.instanceId, [event])
    if (!isDone) await handleGatewayEvent(db, t.instanceId, event)
  })
}

interface Shown extends Record<string, unknown> {
  id: number
  status: string
  stage: string | null
  waits: string
  said: string[]
}

const talksOf = ({ phone }: Client) =>
  t.sql<Shown>`select v.id, v.status, v.pre_attendance_stage as stage, v.waiting_for as waits,
               coalesce((select array_agg(
                                  case when m.message_type = 'event'
                                       then '·' || (m.metadata #>> '{event,act}')
                                       when m.sender_type = 'contact' then m.content
                                       else '> ' || m.content end order by m.sort_at, m.id)
                           from messages m where m.conversation_id = v.id), '{}') as said
          from conversations v join contacts c on c.id = v.contact_id where c.phone = ${phone}
         order by v.started_at, v.id`
const saidTo = async (one: Client) =>
  (await talksOf(one)).flatMap(({ said }) => said.filter((line) => line.startsWith('> ')))

async function locked<T>(one: Client, work: (db: Tx, id: number) => Promise<T>): Promise<T> {
  const id = (await talksOf(one)).at(-1)?.id ?? 0
  return inTransaction(t.database, async (db) => work(db, id))
}
const change = (one: Client, values: ConversationChange) =>
  locked(one, async (db, id) => {
    const conversation = await lockConversation(db, id)
    if (conversation) await updateConversation(db, conversation, values)
  })
const finalize = (one: Client) =>
  locked(one, async (db, id) => {
    const conversation = await lockConversation(db, id)
    if (conversation)
      await complete(db, conversation, 'finalizationMessage', {
        by: null,
        act: 'finalized',
        reason: undefined,
      })
  })

/** An operator takes the client's conversation and writes. */
const answers = async (one: Client, who?: Who) =>
  sendReply(t.database, who ?? (await operator()), (await talksOf(one)).at(-1)?.id ?? 0, {
    content: 'pois não',
  })

let operators = 0
async function operator(): Promise<Who> {
  const id = await operatorOnline()
  const username = `op${operators}`
  const email = `${username}@teste.example`
  const flags = defaultFlags('operator')
  return {
    id,
    name: username,
    username,
    email,
    role: 'operator',
    ...plainWho,
    flags,
    sessionId: 0,
    source: { address: null, device: null },
  }
}

/** An operator with a socket. */
async function operatorOnline(): Promise<number> {
  const username = `op${++operators}`
  const id = await createUser(t.database, {
    username,
    email: `${username}@teste.example`,
    name: username,
    password: 'senha-de-teste',
    role: 'operator',
  })
  await t.sql`insert into presence (connection_id, process_id, user_id) values (${username}, 'test', ${id})`
  return id
}

test('a client in the queue is welcomed, with their place while nobody is free', async () => {
  const [first, second] = [client(), client()]
  await first.writes('oi')
  expect(await talksOf(first)).toMatchObject([{ status: 'waiting', said: ['oi', '> fila 1'] }])
  await operatorOnline()
  await second.writes('olá')
  await second.writes('alguém?')
  expect(await talksOf(second)).toMatchObject([{ said: ['olá', '> boas-vindas', 'alguém?'] }])
})

test('an operator with as many waiting clients as allowed is not free', async () => {
  await saveSettings(t.database, { maxActivePerOperator: 1 })
  const id = await operatorOnline()
  const [busy, next] = [client(), client()]
  await busy.writes('oi')
  await change(busy, { assignedUserId: id, status: 'active', subStatus: 'OPERADOR' })
  await next.writes('oi')
  expect(await saidTo(next)).toEqual(['> fila 1'])
})

test('a better place in the queue is sent once a minute at most', async () => {
  const all = [client(), client(), client(), client()]
  for (const one of all) {
    await one.writes('oi')
    await clock.forward(1000)
  }
  const [first, second, third, last] = all as [Client, Client, Client, Client]
  await t.sql`update outbox set state = 'sent'`
  await sendPositions(t.database)
  expect(await saidTo(last)).toEqual(['> fila 4'])
  await finalize(first)
  await sendPositions(t.database)
  expect(await saidTo(last)).toEqual(['> fila 4'])
  await clock.forward(60_000)
  await sendPositions(t.database)
  await sendPositions(t.database)
  expect(await saidTo(last)).toEqual(['> fila 4', '> agora 3'])
  // What has not left yet is not overtaken.
  await deliver(second.phone)
  await finalize(second)
  await clock.forward(60_000)
  await sendPositions(t.database)
  expect(await saidTo(last)).toEqual(['> fila 4', '> agora 3'])
  await t.sql`update outbox set state = 'sent'`
  await sendPositions(t.database)
  expect(await saidTo(last)).toEqual(['> fila 4', '> agora 3', '> agora 2'])
  expect(await saidTo(third)).toEqual(['> fila 3', '> agora 2', '> agora 1'])
  expect(await saidTo(second)).toEqual(['> fila 2', '> agora 1', '> tchau'])
})

test('a client who was welcomed is also informed that it goes on', async () => {
  await saveSettings(t.database, { queueWelcomeMessage: 'bem-vindo, {{position}}º' })
  const id = await operatorOnline()
  const [first, welcomed, night] = [client(), client(), client()]
  await first.writes('oi')
  await welcomed.writes('oi')
  expect(await saidTo(welcomed)).toEqual(['> bem-vindo, 2º'])
  await clock.set(new Date('2027-03-09T20:00:00-03:00'))
  await night.writes('oi')
  await sendPositions(t.database)
  await clock.set(new Date('2027-03-10T09:01:00-03:00'))
  await t.sql`update outbox set state = 'sent'`
  await sendPositions(t.database)
  expect(await saidTo(night)).toEqual(['> fechado'])
  await change(first, { assignedUserId: id, status: 'active', subStatus: 'OPERADOR' })
  await sendPositions(t.database)
  expect(await saidTo(welcomed)).toEqual(['> bem-vindo, 2º'])
  await clock.forward(60_000)
  await sendPositions(t.database)
  expect(await saidTo(welcomed)).toEqual(['> bem-vindo, 2º', '> agora 1'])
  expect(await saidTo(night)).toEqual(['> fechado', '> agora 2'])
})

test('a client queued again after a reply is taken in turn', async () => {
  const [ana, bia] = [await operator(), await operator()]
  const [first, second] = [client(), client()]
  await first.writes('oi')
  await clock.forward(1000)
  await second.writes('oi')
  const conversationId = (await talksOf(first))[0]?.id ?? 0
  const giveBack = async () => {
    await sendReply(t.database, ana, conversationId, { content: 'já vejo' })
    await assign(t.database, ana, { conversationId, operatorId: null })
  }
  await giveBack()
  expect(await talksOf(first)).toMatchObject([{ status: 'waiting', waits: 'operator' }])
  const position = async () => positionOf(t.database, conversationId)
  expect(await position()).toBe(1)
  expect(await takeNext(t.database, bia)).toBe(conversationId)
  await assign(t.database, bia, { conversationId, operatorId: null })
  await saveSettings(t.database, { autoDistributionEnabled: true, maxActivePerOperator: 1 })
  await distribute(t.database)
  expect((await talksOf(first))[0]?.said.at(-1)).toBe('·distributed')
  await saveSettings(t.database, { autoDistributionEnabled: false })
  // They wait until somebody answers them, and are not closed; answered on the phone they wait no more.
  await change(first, { assignedUserId: ana.id })
  await giveBack()
  await clock.forward(31 * 60_000)
  await closeSilent(t.database, false)
  expect(await position()).toBe(1)
  await feed({ ...first.event('resolvido', await clock.now()), origin: 'phone', name: undefined })
  expect(await talksOf(first)).toMatchObject([{ status: 'waiting', waits: 'client' }])
  expect(await position()).toBeUndefined()
  await clock.forward(31 * 60_000)
  await closeSilent(t.database, false)
  expect(await talksOf(first)).toMatchObject([{ status: 'completed' }])
})

test('the closed hours are announced once a conversation and closed period', async () => {
  const one = client()
  await clock.set(new Date('2027-03-09T20:00:00-03:00'))
  await one.writes('oi')
  await one.writes('tem alguém?')
  await clock.set(new Date('2027-03-10T08:59:00-03:00'))
  await one.writes('bom dia')
  expect(await saidTo(one)).toEqual(['> fechado'])
  await clock.set(new Date('2027-03-10T12:10:00-03:00'))
  await one.writes('e agora?')
  expect(await saidTo(one)).toEqual(['> fechado', '> fechado'])
  expect(await talksOf(one)).toMatchObject([{ status: 'waiting' }])
})

test('the closed hours are announced only two hours after somebody of the team has written', async () => {
  const one = client()
  await one.writes('oi')
  await deliver(one.phone)
  await clock.set(new Date('2027-03-09T20:00:00-03:00'))
  await answers(one)
  await clock.forward(119 * 60_000)
  await one.writes('e agora?')
  expect(await saidTo(one)).toEqual(['> fila 1', '> pois não'])
  await clock.forward(2 * 60_000)
  await one.writes('e agora?')
  expect(await saidTo(one)).toEqual(['> fila 1', '> pois não', '> fechado'])
})

test('a client who answers what the team wrote after hours is not told that it is closed', async () => {
  const one = client()
  await one.writes('oi')
  await finalize(one)
  await deliver(one.phone)
  await clock.set(new Date('2027-03-09T20:00:00-03:00'))
  const [{ contactId } = { contactId: 0 }] = await t.sql<{ contactId: number }>`
    select id as "contactId" from contacts where phone = ${one.phone}`
  // As `POST /api/contacts/{id}/send-message` does.
  await sendToContact(t.database, await operator(), { contactId }, { content: 'Seu pedido chegou' })
  await clock.forward(2000)
  await one.writes('que bom')
  const said = await saidTo(one)
  expect(said).toContain('> Seu pedido chegou')
  expect(said).not.toContain('> fechado')
  await clock.forward(121 * 60_000)
  await one.writes('posso buscar?')
  expect(await saidTo(one)).toEqual([...said, '> fechado'])
})

test('a holiday has its own text for clients', async () => {
  await saveSettings(t.database, {
    scheduleExceptions: [{ date: '2027-03-09', hours: null, message: 'hoje é feriado, {{contact}}' }],
  })
  const one = client()
  await one.writes('oi')
  expect(await saidTo(one)).toEqual([`> hoje é feriado, Cliente ${people}`])
})

describe('of a file that a client sends', () => {
  const office = 'application/vnd.openxmlformats-officedocument'
  const document = (fileName: string, mimeType: string) =>
    ({ messageType: 'document', fileName, mimeType }) as const
  const program = document('fatura.pdf.EXE', 'application/pdf')
  const wanted = () => t.sql`select f.id from media_fetches f join messages m on m.id = f.message_id
                              where m.file_name like 'fatura%'`

  test('that is not kept they are told once, and it is not fetched', async () => {
    const one = client()
    await saveSettings(t.database, { queueMessage: '' })
    await one.writes('', program)
    await one.writes('', program)
    expect(await saidTo(one)).toEqual(['> esse tipo não'])
    expect(await wanted()).toEqual([])
  })

  test('that is not kept they are not told where the notice is switched off', async () => {
    const one = client()
    await saveSettings(t.database, { queueMessage: '', blockedFileNotice: false })
    await one.writes('', program)
    expect(await saidTo(one)).toEqual([])
  })

  test('of any other type they are told nothing, and it is fetched', async () => {
    const one = client()
    await saveSettings(t.database, { queueMessage: '' })
    const kept = [
      document('fatura.xls', 'application/vnd.ms-excel'),
      document('fatura.xml', 'text/xml'),
      document('fatura.zip', 'application/zip'),
      document('fatura.csv', 'text/csv'),
      document('fatura.pfx', 'application/x-pkcs12'),
      { messageType: 'image', fileName: 'fatura.heic', mimeType: 'image/heic' },
      { messageType: 'video', fileName: 'fatura.mov', mimeType: 'video/quicktime' },
      { messageType: 'audio', fileName: 'fatura.m4a', mimeType: 'audio/mp4' },
      { messageType: 'audio', fileName: 'fatura.aac', mimeType: 'audio/aac' },
      { messageType: 'audio', fileName: 'fatura.amr', mimeType: 'audio/amr' },
      { messageType: 'video', fileName: 'fatura.3gp', mimeType: 'video/3gpp' },
      document('fatura.txt', 'text/plain'),
      document('fatura.xlsx', `${office}.spreadsheetml.sheet`),
      document('fatura.pptx', `${office}.presentationml.presentation`),
    ] as const
    for (const file of kept) await one.writes('', file)
    expect(await saidTo(one)).toEqual([])
    expect(await wanted()).toHaveLength(kept.length)
  })
})

describe('an operator who writes first since it left the queue', () => {
  const introduced = async () => {
    await saveSettings(t.database, { warningMessage: 'aqui é {{operator}}', queueMessage: '' })
    const one = client()
    await one.writes('oi')
    const conversationId = (await talksOf(one))[0]?.id ?? 0
    const [ana, bia] = [await operator(), await operator()]
    const says = (who: Who, content: string) => sendReply(t.database, who, conversationId, { content })
    const gives = (who: Who, operatorId: number | null) =>
      assign(t.database, who, { conversationId, operatorId })
    return { one, conversationId, ana, bia, says, gives }
  }

  test('is introduced like the first operator, once until it is back there', async () => {
    const { one, ana, bia, says, gives } = await introduced()
    await says(ana, 'bom dia')
    await says(ana, 'tudo bem?')
    await gives(ana, null)
    await one.writes('alguém?')
    await says(bia, 'estou aqui')
    await says(bia, 'diga')
    expect(await saidTo(one)).toEqual([
      `> aqui é ${ana.name}`,
      '> bom dia',
      '> tudo bem?',
      `> aqui é ${bia.name}`,
      '> estou aqui',
      '> diga',
    ])
  })

  test('is not introduced to a client who has heard of nobody else since', async () => {
    const { one, ana, bia, says, gives } = await introduced()
    await saveSettings(t.database, { transferMessage: 'agora com {{operator}}' })
    await says(ana, 'bom dia')
    await gives(ana, null)
    await gives(ana, ana.id)
    await says(ana, 'voltei')
    expect(await saidTo(one)).toEqual([`> aqui é ${ana.name}`, '> bom dia', '> voltei'])
    // Bia was announced, and then it is Ana after all.
    await transfer(t.database, ana, {
      conversationId: (await talksOf(one))[0]?.id ?? 0,
      newOperatorId: bia.id,
    })
    await gives(bia, null)
    await says(ana, 'sou eu de novo')
    expect((await saidTo(one)).slice(3)).toEqual([
      `> agora com ${bia.name}`,
      `> aqui é ${ana.name}`,
      '> sou eu de novo',
    ])
  })

  test('is not introduced twice where their first message was deleted before it was sent', async () => {
    const { one, ana, bia, conversationId, says, gives } = await introduced()
    await says(ana, 'bom dia')
    await gives(ana, null)
    await says(bia, 'errado')
    await t.sql`delete from messages where conversation_id = ${conversationId} and content = 'errado'`
    await says(bia, 'certo')
    expect(await saidTo(one)).toEqual([
      `> aqui é ${ana.name}`,
      '> bom dia',
      `> aqui é ${bia.name}`,
      '> certo',
    ])
  })
})

test.each(['assumed', 'transferred'])(
  'an operator is introduced before their first message also where it was %s first',
  async (way) => {
    await saveSettings(t.database, { warningMessage: 'aqui é {{operator}}', queueMessage: '' })
    const one = client()
    await one.writes('oi')
    const conversationId = (await talksOf(one))[0]?.id ?? 0
    const [ana, bia] = [await operator(), await operator()]
    const operatorId = way === 'assumed' ? ana.id : bia.id
    await assign(t.database, ana, { conversationId, operatorId })
    expect(await saidTo(one)).toEqual([])
    const who = way === 'assumed' ? ana : bia
    await sendReply(t.database, who, conversationId, { content: 'bom dia' })
    await sendReply(t.database, who, conversationId, { content: 'tudo bem?' })
    expect(await saidTo(one)).toEqual([`> aqui é ${who.name}`, '> bom dia', '> tudo bem?'])
  },
)

test.each([
  ['', ''],
  ['\u200b', '\u3164 \n'],
  ['{{company}}', '{{company}} {{company}}'],
])('a text that shows nothing is not sent: %j, %j', async (queueMessage, finalizationMessage) => {
  await saveSettings(t.database, { queueMessage, finalizationMessage })
  const one = client()
  await one.writes('oi')
  await finalize(one)
  expect(await saidTo(one)).toEqual([])
})

describe('pre-attendance', () => {
  beforeEach(() =>
    saveSettings(t.database, {
      preAttendanceEnabled: true,
      preAttendanceMostInvalid: 0,
      queueMessage: '',
    }),
  )

  test('pre-attendance keeps what is written until 1, and then all of it waits in the queue', async () => {
    const one = client()
    await one.writes('oi')
    await one.writes('', { messageType: 'image', mimeType: 'image/jpeg' })
    expect(await talksOf(one)).toMatchObject([
      { status: 'completed', stage: 'waiting_option', said: ['oi', '> 1 ou 2', '', '> não entendi'] },
    ])
    await clock.forward(20_000)
    await one.writes('1️⃣')
    expect(await talksOf(one)).toMatchObject([
      {
        status: 'waiting',
        stage: 'attended',
        waits: 'operator',
        said: ['oi', '> 1 ou 2', '', '> não entendi', '1️⃣'],
      },
    ])
    expect(await t.sql`select 1 from pre_attendance_temp`).toEqual([])
  })

  test('without a question no answer of pre-attendance is expected', async () => {
    for (const preAttendanceMessage of [' ', '\u3164\u200b']) {
      await saveSettings(t.database, { preAttendanceMessage })
      const one = client()
      await one.writes('oi')
      expect(await talksOf(one)).toMatchObject([{ status: 'waiting', stage: null, said: ['oi'] }])
    }
  })

  test('the choice of 2 ends pre-attendance, readable for 30 days', async () => {
    const one = client()
    await one.writes('oi')
    await clock.forward(20_000)
    await one.writes(' 2 ')
    expect(await talksOf(one)).toMatchObject([
      { status: 'completed', stage: 'cancelled', said: ['oi', '> 1 ou 2', ' 2 ', '> até logo'] },
    ])
    await clock.forward(29 * 86_400_000)
    await trimCancelled(t.database)
    expect(await talksOf(one)).toHaveLength(1)
    await clock.forward(2 * 86_400_000)
    await trimCancelled(t.database)
    expect(await talksOf(one)).toEqual([])
  })

  test('a client who begins pre-attendance anew is answered no more often within the hour', async () => {
    const one = client()
    const say = async (...all: string[]) => {
      for (const text of all) {
        await clock.forward(15_000)
        await one.writes(text)
      }
    }
    await say('oi', 'hã?', 'hã?', 'hã?', 'hã?', '2', 'oi', 'hã?', 'hã?', 'hã?')
    expect((await saidTo(one)).filter((line) => line === '> não entendi')).toHaveLength(6)
    expect(await talksOf(one)).toMatchObject([
      { stage: 'cancelled' },
      { stage: 'attended', status: 'waiting' },
    ])
  })

  test('messages written apart that arrive at once are answered once', async () => {
    const one = client()
    await one.wroteBefore('oi', 60_000)
    await one.wroteBefore('hã?', 40_000)
    await one.wroteBefore('alô?', 20_000)
    expect((await saidTo(one)).filter((line) => line.startsWith('>'))).toEqual(['> 1 ou 2'])
    await clock.forward(15_000)
    await one.writes('hã?')
    expect((await saidTo(one)).at(-1)).toBe('> não entendi')
  })

  test('a figure that was written before the question had arrived chooses nothing', async () => {
    const one = client()
    await one.writes('me vê pão de queijo')
    await one.writesAtOnce('2')
    await one.writesAtOnce('dúzias')
    await deliver(one.phone)
    // In the second in which WhatsApp got the question.
    await one.writesAtOnce('2')
    expect(await talksOf(one)).toMatchObject([
      { stage: 'waiting_option', said: ['me vê pão de queijo', '> 1 ou 2', '2', 'dúzias', '2'] },
    ])
    await clock.forward(1000)
    await one.writesAtOnce('1')
    expect(await talksOf(one)).toMatchObject([{ status: 'waiting', stage: 'attended', said: { length: 6 } }])
  })

  test('whoever has answered wrongly three times comes into the queue with the next message', async () => {
    await saveSettings(t.database, { preAttendanceMostInvalid: 3 })
    const one = client()
    await one.writes('oi')
    for (let n = 1; n <= 3; n++) {
      await clock.forward(15_000)
      await one.writes('hã?')
    }
    expect((await saidTo(one)).filter((line) => line === '> não entendi')).toHaveLength(3)
    expect(await talksOf(one)).toMatchObject([{ stage: 'waiting_option' }])
    await clock.forward(15_000)
    await one.writes('alguém?')
    expect(await talksOf(one)).toMatchObject([{ status: 'waiting', stage: 'attended' }])
    expect((await saidTo(one)).filter((line) => line === '> não entendi')).toHaveLength(3)
  })

  test('an answer from the phone ends the choice, and opens the conversation as answered', async () => {
    const one = client()
    await one.writes('tem pão?')
    await deliver(one.phone)
    await clock.forward(10_000)
    await feed({ ...one.event('Temos! Quantos?', await clock.now()), origin: 'phone' })
    expect(await talksOf(one)).toMatchObject([
      {
        status: 'waiting',
        stage: 'attended',
        waits: 'client',
        said: ['tem pão?', '> 1 ou 2', '> Temos! Quantos?'],
      },
    ])
    await clock.forward(10_000)
    await one.writes('2')
    await one.writes('10 por favor')
    expect(await talksOf(one)).toMatchObject([{ status: 'waiting', waits: 'operator', said: { length: 5 } }])
  })

  /** The shop answers 'Temos! Quantos?' from its phone, and the client 2; the answer arrives last. */
  const answeredLate = async (one: Client, isGoodbyeSent: boolean, ...later: string[]) => {
    await one.writes('tem pão?')
    await deliver(one.phone)
    await clock.forward(10_000)
    const answer = one.event('Temos! Quantos?', await clock.now())
    for (const text of ['2', ...later]) {
      await clock.forward(10_000)
      await one.writesAtOnce(text)
    }
    expect((await talksOf(one))[0]).toMatchObject({ stage: 'cancelled' })
    if (isGoodbyeSent) await deliver(one.phone)
    await feed({ ...answer, origin: 'phone' })
  }

  test('an answer from the phone that arrives after a later 2 undoes the cancelling', async () => {
    const one = client()
    await answeredLate(one, false)
    expect(await talksOf(one)).toMatchObject([
      { status: 'waiting', stage: 'attended', waits: 'operator', said: { length: 5 } },
    ])
    const [opened] = await talksOf(one)
    expect(opened?.said).toEqual(['tem pão?', '> 1 ou 2', '> Temos! Quantos?', '2', '·text_withdrawn'])
    expect(await positionOf(t.database, opened?.id ?? 0)).toBe(1)
    expect(await t.sql`select 1 from pre_attendance_temp`).toEqual([])
    await one.writes('10 por favor')
    expect(await talksOf(one)).toMatchObject([{ status: 'waiting', said: { length: 6 } }])
  })

  test('the goodbye that has left stays where an answer from the phone arrives after it', async () => {
    const one = client()
    await answeredLate(one, true)
    expect(await talksOf(one)).toMatchObject([
      { status: 'waiting', said: ['tem pão?', '> 1 ou 2', '> Temos! Quantos?', '2', '> até logo'] },
    ])
  })

  test('what was written after a cancelling that a late answer undoes comes with it', async () => {
    const one = client()
    await answeredLate(one, true, '10 por favor')
    const all = await talksOf(one)
    expect(all).toMatchObject([{ status: 'waiting', stage: 'attended', waits: 'operator' }])
    expect(all[0]?.said.filter((line) => !line.startsWith('>') && !line.startsWith('·'))).toEqual([
      'tem pão?',
      '2',
      '10 por favor',
    ])
    expect(await t.sql`select 1 from pre_attendance_temp`).toEqual([])
  })

  test.each([
    ['is older than what was cancelled', -60_000],
    ['is newer than the cancelling', 60_000],
  ])('a message from the phone that %s undoes nothing', async (_when, ms) => {
    const one = client()
    const before = await clock.now()
    await clock.forward(120_000)
    await one.writes('tem pão?')
    await clock.forward(10_000)
    await one.writes('2')
    await clock.forward(120_000)
    const at = ms < 0 ? before : await clock.now()
    await feed({ ...one.event('bom dia', at), origin: 'phone' })
    expect((await talksOf(one)).map(({ stage }) => stage).filter(Boolean)).toEqual(['cancelled'])
  })

  test('an answer from the phone that arrives before the message it answers spares the choice', async () => {
    const one = client()
    await clock.forward(20_000)
    await feed({ ...one.event('Temos! Quantos?', await clock.now()), origin: 'phone' })
    await one.wroteBefore('tem pão?', 10_000)
    expect(await talksOf(one)).toMatchObject([
      { status: 'waiting', waits: 'client', said: ['tem pão?', '> Temos! Quantos?'] },
    ])
  })

  test('whoever waits for a choice comes into the queue, in order, when that is switched off', async () => {
    const [first, second] = [client(), client()]
    await first.writes('oi')
    await clock.forward(1000)
    await second.writes('bom dia')
    await inTransaction(t.database, openUnasked)
    expect(await talksOf(first)).toMatchObject([{ stage: 'waiting_option' }])
    await saveSettings(t.database, { preAttendanceEnabled: false })
    await inTransaction(t.database, openUnasked)
    for (const one of [first, second])
      expect(await talksOf(one)).toMatchObject([{ status: 'waiting', stage: 'attended', waits: 'operator' }])
    const ids = [first, second].map(async (one) => (await talksOf(one))[0]?.id ?? 0)
    const places = (await Promise.all(ids)).map((id) => positionOf(t.database, id))
    expect(await Promise.all(places)).toEqual([1, 2])
  })

  test('whoever cannot be asked, since the question was refused, comes into the queue', async () => {
    const one = client()
    await one.writes('oi')
    await t.sql`update messages set delivery_status = 'failed' where content = '1 ou 2'`
    await one.writesAtOnce('alô?')
    expect(await talksOf(one)).toMatchObject([{ status: 'waiting', stage: 'attended' }])
  })

  test('a question that shows nothing to a client is none', async () => {
    await saveSettings(t.database, { preAttendanceMessage: '{{company}} {{company}}' })
    const one = client()
    await one.writes('oi')
    expect(await talksOf(one)).toMatchObject([{ status: 'waiting', stage: 'attended' }])
    expect(await positionOf(t.database, (await talksOf(one))[0]?.id ?? 0)).toBe(1)
  })

  test.each([
    ['the caption of a picture', { messageType: 'image', mimeType: 'image/jpeg' }],
    ['the question of a poll', { messageType: 'poll' }],
    ['an order that is described', { metadata: { gatewayType: 'orderMessage' } }],
  ] as const)(
    'a message that is %s chooses no option of pre-attendance, whatever it says',
    async (_what, more) => {
      const one = client()
      await one.writes('oi')
      await one.writes('2', more)
      expect(await talksOf(one)).toMatchObject([{ stage: 'waiting_option' }])
      expect(await saidTo(one)).toEqual(['> 1 ou 2', '> não entendi'])
    },
  )

  test('a client who does not choose for a day waits in the queue', async () => {
    const one = client()
    await one.writes('oi')
    await clock.forward(23 * 3_600_000)
    await queueUndecided(t.database)
    expect(await talksOf(one)).toMatchObject([{ stage: 'waiting_option' }])
    await clock.forward(2 * 3_600_000)
    await queueUndecided(t.database)
    await queueUndecided(t.database)
    expect(await talksOf(one)).toMatchObject([
      { status: 'waiting', stage: 'attended', said: ['oi', '> 1 ou 2'] },
    ])
  })
})

const answered = async (one: Client) => {
  await one.writes('oi')
  await deliver(one.phone)
  await change(one, { waitingFor: 'client', waitingSince: null, status: 'active', subStatus: 'OPERADOR' })
}
const look = () => closeSilent(t.database, false)

test('inactivity closes after exactly thirty minutes, with its text, and never before', async () => {
  const one = client()
  await answered(one)
  await clock.forward(30 * 60_000 - 2000)
  await look()
  expect(await talksOf(one)).toMatchObject([{ status: 'active' }])
  await clock.forward(2000)
  await look()
  await look()
  expect(await talksOf(one)).toMatchObject([
    { status: 'completed', said: ['oi', '> fila 1', '> encerrado', '·closed_by_inactivity'] },
  ])
})

test('inactivity warns before where that is wanted, once, and again after the next word', async () => {
  await saveSettings(t.database, { inactivityWarningMinutes: 5 })
  const one = client()
  await answered(one)
  await clock.forward(25 * 60_000)
  await look()
  await look()
  expect(await saidTo(one)).toEqual(['> fila 1', '> ainda aí?'])
  await one.writes('estou')
  await change(one, { waitingFor: 'client' })
  await clock.forward(25 * 60_000)
  await look()
  await deliver(one.phone)
  await clock.forward(5 * 60_000)
  await look()
  expect(await saidTo(one)).toEqual(['> fila 1', '> ainda aí?', '> ainda aí?', '> encerrado'])
})

describe('a text that has not left when its reason goes', () => {
  const states = async (one: Client) =>
    (
      await t.sql<{ state: string }>`
        select o.state from outbox o join conversations v on v.id = o.conversation_id
          join contacts c on c.id = v.contact_id where c.phone = ${one.phone} order by o.id`
    ).map(({ state }) => state)

  test('of the queue, is withdrawn once somebody answers', async () => {
    const one = client()
    await one.writes('oi')
    await answers(one)
    expect(await talksOf(one)).toMatchObject([{ said: ['oi', '·text_withdrawn', '·taken', '> pois não'] }])
    expect(await states(one)).toEqual(['cancelled', 'pending'])
  })

  test('of the queue, is withdrawn once somebody takes or ends the conversation', async () => {
    const [taken, ended] = [client(), client()]
    await taken.writes('oi')
    await ended.writes('oi')
    await takeNext(t.database, await operator())
    await finalize(ended)
    expect(await talksOf(taken)).toMatchObject([{ said: ['oi', '·text_withdrawn', '·taken'] }])
    expect(await talksOf(ended)).toMatchObject([{ said: ['oi', '·text_withdrawn', '> tchau', '·finalized'] }])
  })

  test('of the queue, is withdrawn by an answer from the phone, as is the question of a choice', async () => {
    const one = client()
    await one.writes('oi')
    await feed({ ...one.event('Temos!', await clock.now()), origin: 'phone' })
    expect(await talksOf(one)).toMatchObject([{ said: ['oi', '·text_withdrawn', '> Temos!'] }])
    await saveSettings(t.database, { preAttendanceEnabled: true })
    const other = client()
    await other.writes('oi')
    await feed({ ...other.event('Temos!', await clock.now()), origin: 'phone' })
    expect(await talksOf(other)).toMatchObject([{ said: ['oi', '·text_withdrawn', '> Temos!'] }])
  })

  test('that warns of the end, is withdrawn once the client writes', async () => {
    await saveSettings(t.database, { inactivityWarningMinutes: 5 })
    const one = client()
    await answered(one)
    await clock.forward(25 * 60_000)
    await look()
    await one.writesAtOnce('estou')
    expect(await talksOf(one)).toMatchObject([{ said: ['oi', '> fila 1', '·text_withdrawn', 'estou'] }])
  })

  test('that warns of the end, is withdrawn once we write', async () => {
    await saveSettings(t.database, { inactivityWarningMinutes: 5 })
    const [one, other] = [client(), client()]
    const who = await operator()
    await one.writes('oi')
    await answers(one, who)
    await deliver(one.phone)
    await answered(other)
    await clock.forward(25 * 60_000)
    await look()
    expect(await saidTo(one)).toContain('> ainda aí?')
    await answers(one, who)
    await feed({ ...other.event('Temos!', await clock.now()), origin: 'phone' })
    const ofOne = await talksOf(one)
    expect(ofOne[0]?.said.slice(-2)).toEqual(['·text_withdrawn', '> pois não'])
    expect((await talksOf(other))[0]?.said.slice(-2)).toEqual(['·text_withdrawn', '> Temos!'])
  })

  test('is sent all the same once it was tried', async () => {
    const one = client()
    await one.writes('oi')
    await t.sql`update outbox set tries = 1`
    await answers(one)
    expect(await saidTo(one)).toContain('> fila 1')
    expect(await states(one)).not.toContain('cancelled')
  })
})

test('inactivity of both sides counts with the setting, but not for who waits in the FILA', async () => {
  await saveSettings(t.database, { inactivityAppliesTo: 'all' })
  const [taken, queued] = [client(), client()]
  await answered(taken)
  await change(taken, { waitingFor: 'operator' })
  await queued.writes('oi')
  await clock.forward(31 * 60_000)
  await look()
  expect(await talksOf(taken)).toMatchObject([{ status: 'completed' }])
  expect(await talksOf(queued)).toMatchObject([{ status: 'waiting' }])
})

test.each([
  ['while the number is away', sql`update evolution_api_config set status = 'close'`],
  [
    'while it refuses what is sent',
    sql`update evolution_api_config set breaker_until = now() + interval '1 hour'`,
  ],
])('%s delays the close by inactivity for half an hour', async (_, trouble) => {
  const one = client()
  await answered(one)
  await clock.forward(40 * 60_000)
  await t.database.execute(trouble)
  await look()
  expect(await talksOf(one)).toMatchObject([{ status: 'active' }])
  await t.sql`update evolution_api_config set status = 'open', breaker_until = null`
  await clock.forward(29 * 60_000)
  await look()
  expect(await talksOf(one)).toMatchObject([{ status: 'active' }])
  await clock.forward(60_000)
  await look()
  expect(await talksOf(one)).toMatchObject([{ status: 'completed' }])
})

test('an outage of the product does not count as inactivity', async () => {
  const one = client()
  await answered(one)
  await clock.forward(40 * 60_000)
  await closeSilent(t.database, true)
  expect(await talksOf(one)).toMatchObject([{ status: 'active' }])
})

test.each(['client', 'all'] as const)(
  'a client whose answer failed waits for us, not closed: %s',
  async (all) => {
    await saveSettings(t.database, { inactivityAppliesTo: all })
    const one = client()
    await one.writes('oi')
    await answers(one)
    expect(await talksOf(one)).toMatchObject([{ status: 'active', waits: 'client' }])
    const [reply] = await t.sql<{ id: number }>`select id from messages
     where content = 'pois não' order by id desc limit 1`
    await inTransaction(t.database, (db) => recordFailed(db, reply?.id ?? 0, 'not_on_whatsapp'))
    expect(await talksOf(one)).toMatchObject([{ status: 'active', waits: 'operator' }])
    await clock.forward(31 * 60_000)
    await look()
    expect(await talksOf(one)).toMatchObject([{ status: 'active', waits: 'operator' }])
  },
)

describe('ratings', () => {
  beforeEach(() => saveSettings(t.database, { ratingsEnabled: true, queueMessage: '' }))
  /** A client who has written and was answered. */
  const attended = async () => {
    const one = client()
    await one.writes('oi')
    await answers(one)
    return one
  }
  const ratings = () =>
    t.sql`select service_rating as service, operator_rating as operator, feedback from conversation_ratings`

  test('a rating is kept with its conversation, and opens none', async () => {
    const one = await attended()
    await finalize(one)
    await clock.forward(60_000)
    await one.writes('5, ótimo atendimento!')
    expect((await talksOf(one)).map(({ status, said }) => [status, ...said.slice(-4)])).toEqual([
      ['completed', '> tchau', '> nota?', '·finalized', '5, ótimo atendimento!'],
    ])
    expect(await ratings()).toEqual([{ service: 5, operator: 5, feedback: 'ótimo atendimento!' }])
    await one.writes('4')
    expect(await talksOf(one)).toHaveLength(2)
    expect(await ratings()).toHaveLength(1)
  })

  test('a rating that comes late is shown as recovered, like any message', async () => {
    const one = await attended()
    await finalize(one)
    await deliver(one.phone)
    await clock.forward(40 * 60_000)
    await one.wroteBefore('4', 30 * 60_000)
    const late = await t.sql`select metadata -> 'rating' as rating, metadata -> 'recovered' as recovered
            from messages where content = '4'`
    expect(late).toEqual([{ rating: 4, recovered: true }])
    expect(await ratings()).toHaveLength(1)
  })

  test('a figure that was written before the question had arrived is no rating', async () => {
    const one = await attended()
    await finalize(one)
    // They answer 'quantas caixas?', which was asked before.
    await one.writesAtOnce('2')
    expect(await talksOf(one)).toMatchObject([
      { status: 'completed' },
      { status: 'waiting', said: ['2', '> boas-vindas'] },
    ])
    expect(await ratings()).toEqual([])
  })

  test('a figure after something else was said, on the phone too, is no rating', async () => {
    const one = await attended()
    await finalize(one)
    await deliver(one.phone)
    await clock.forward(10_000)
    await feed({ ...one.event('quantas caixas?', await clock.now()), origin: 'phone' })
    await clock.forward(10_000)
    await one.writes('2')
    expect((await talksOf(one)).filter(({ status }) => status === 'waiting')).toMatchObject([
      { said: ['2', '> boas-vindas'] },
    ])
    expect(await ratings()).toEqual([])
  })

  test('a rating is asked for where a person wrote, and after inactivity where that is wanted', async () => {
    const nobody = client()
    await nobody.writes('oi')
    await finalize(nobody)
    expect(await saidTo(nobody)).toEqual(['> tchau'])
    const silent = async () => {
      const one = await attended()
      await clock.forward(31 * 60_000)
      await closeSilent(t.database, false)
      return (await saidTo(one)).slice(-1)
    }
    expect(await silent()).toEqual(['> encerrado'])
    await saveSettings(t.database, { ratingAfterInactivity: true })
    expect(await silent()).toEqual(['> nota?'])
  })

  test('a rating is that of the operator who wrote last', async () => {
    const one = client()
    await one.writes('oi')
    const ana = await operator()
    await answers(one, ana)
    await locked(one, async (db, id) => {
      const conversation = await lockConversation(db, id)
      const [other] = [await operatorOnline()]
      if (conversation) await updateConversation(db, conversation, { assignedUserId: other })
    })
    await finalize(one)
    await one.writes('5')
    expect(await t.sql`select operator_id as id from conversation_ratings`).toEqual([{ id: ana.id }])
  })

  test('thanks after the end stay in the ended conversation, and the rating may follow', async () => {
    const one = await attended()
    await finalize(one)
    await one.writes('Obrigado! 🙏')
    await one.writes('nota 10')
    expect(await talksOf(one)).toMatchObject([{ status: 'completed' }])
    expect(await ratings()).toEqual([])
    await clock.forward(60_000)
    await one.writes('5')
    expect(await talksOf(one)).toMatchObject([{ status: 'completed' }])
    expect(await ratings()).toHaveLength(1)
  })

  test.each([
    ['an hour later', async () => clock.forward(61 * 60_000)],
    ['where they reopen', async () => saveSettings(t.database, { thanksStayClosed: false })],
  ])('thanks open a conversation %s', async (_when, before) => {
    const one = await attended()
    await finalize(one)
    await deliver(one.phone)
    await before()
    await one.writes('obrigado')
    expect(await talksOf(one)).toMatchObject([{ status: 'completed' }, { status: 'waiting' }])
  })
})

test('distribution gives the longest wait to the operator with the fewest', async () => {
  await saveSettings(t.database, { autoDistributionEnabled: true, maxActivePerOperator: 2 })
  const [ana, bia] = [await operatorOnline(), await operatorOnline()]
  const all = Array.from({ length: 6 }, client)
  for (const one of all) {
    await one.writes('oi')
    await clock.forward(1000)
  }
  await Promise.all([distribute(t.database), distribute(t.database)])
  const holders = await t.sql<{ holder: number | null }>`
    select assigned_user_id as holder from conversations order by started_at, id`
  expect(holders.map(({ holder }) => holder)).toEqual([ana, bia, ana, bia, null, null])
  const [reason] = await t.sql`select metadata -> 'event' as event from messages where message_type = 'event'
           and metadata #>> '{event,act}' = 'distributed' order by id desc limit 1`
  expect(reason).toEqual({
    event: {
      act: 'distributed',
      to: expect.stringMatching(/^op/) as string,
      reason: { active: 1, waiting: 1, capacity: 2, among: 1 },
    },
  })
})

test('distribution gives nothing while it is off', async () => {
  await operatorOnline()
  const one = client()
  await one.writes('oi')
  await distribute(t.database)
  expect((await getSettings(t.database)).autoDistributionEnabled).toBe(false)
  expect(await talksOf(one)).toMatchObject([{ status: 'waiting' }])
})
