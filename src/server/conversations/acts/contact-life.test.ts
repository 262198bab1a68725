import { expect, test } from 'vitest'
import type { Contact } from '#shared/contacts/contacts.ts'
import type { ErrorBody } from '#shared/errors.ts'
import { given } from '#server/testing/given.ts'
import { newTalk } from '#server/testing/new-talk.ts'
import { eventually, forAllTests, testApp } from '#server/testing/test-app.ts'

const t = forAllTests(testApp)
const chefe = forAllTests(() => t.signIn('admin', 'chefe'))

let people = 0
/** A number that nobody has, without its country code. */
const newNumber = () => `1197777${String(++people).padStart(4, '0')}`
const create = <Body = Contact>(body: object, who = chefe) => who.request<Body>('POST', '/api/contacts', body)
const newContact = async (body: object = {}) =>
  (await create({ name: 'Dona Rita', phone: newNumber(), ...body })).body
const act = <Body = Contact>(id: number, path: string, who = chefe) =>
  who.request<Body>('POST', `/api/contacts/${id}/${path}`)
const remove = (id: number, who = chefe) => who.request<ErrorBody>('DELETE', `/api/contacts/${id}`)
const read = (id: number) => chefe.request<Contact>('GET', `/api/contacts/${id}`)
const refusal = ({ status, body }: { status: number; body: ErrorBody }) => [status, body.message]
const auditOf = async (id: number) =>
  (
    await t.sql<{ action: string }>`
      select action from audit_logs where resource_type = 'contact' and resource_id = ${String(id)}
           order by id`
  ).map(({ action }) => action)
const count = async (phone: string) =>
  t.sql`select id from contacts where phone = ${phone} and deleted_at is null`

test('a new contact has what was entered, in its normal form, and is audited', async () => {
  const phone = newNumber()
  const { status, body } = await create({
    name: '  Dona Rita ',
    phone: `+55 (11) ${phone.slice(2, 7)}-${phone.slice(7)}`,
    email: 'rita@feira.example',
    category: 'vip',
    notes: 'só à tarde',
    tags: ['Feira', 'feira', ''],
    companyId: null,
  })
  expect(status).toBe(201)
  expect(body).toMatchObject({
    name: 'Dona Rita',
    phone: `55${phone}`,
    email: 'rita@feira.example',
    category: 'VIP',
    notes: 'só à tarde',
    tags: ['feira'],
    isBlocked: false,
  })
  expect(await auditOf(body.id)).toEqual(['contact.create'])
})

test('a new contact has the default category, no company and no tags', async () => {
  expect(await newContact()).toMatchObject({ category: 'general', company: null, tags: [], email: null })
})

test('of five who create one number at once four are refused with its contact', async () => {
  const phone = newNumber()
  const answers = await Promise.all(
    [phone, `+55${phone}`, `55${phone}`, `(11) ${phone.slice(2)}`, `55 11 ${phone.slice(3)}`].map((typed) =>
      create<Contact & ErrorBody>({ name: 'Rita', phone: typed }),
    ),
  )
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409, 409])
  expect(answers.find(({ status }) => status === 409)?.body.message).toBe(
    'Este telefone já é do contato Rita.',
  )
  expect(await count(`55${phone}`)).toHaveLength(1)
})

test.each([
  [{ name: '' }, 'Nome é obrigatório'],
  [{ phone: '119' }, 'Telefone deve ter pelo menos 10 dígitos'],
  [{ phone: 'onze nove sete' }, 'Telefone inválido'],
  [{ email: 'rita@' }, 'Email inválido'],
  [{ category: 'inexistente' }, 'Categoria não encontrada'],
  [{ companyId: 999_999 }, 'Empresa não encontrada'],
])('a new contact with %j is refused with a message, and nothing is stored', async (wrong, message) => {
  const phone = newNumber()
  const answer = await create<ErrorBody>({ name: 'Rita', phone, ...wrong })
  expect(JSON.stringify(answer.body)).toContain(message)
  expect(answer.status).toBeGreaterThanOrEqual(400)
  expect(await count(`55${phone}`)).toHaveLength(0)
})

test('a new contact who writes is recognized by their number', async () => {
  const phone = newNumber()
  const { id } = await newContact({ phone })
  const { id: written } = t.simulator.control.createPhone({ name: 'Rita', number: `55${phone}` })
  t.simulator.control.sendText(written, 'oi')
  await eventually(() => t.sql`select id from conversations where contact_id = ${id}`, { length: 1 })
  expect(await read(id)).toMatchObject({ body: { name: 'Dona Rita' } })
})

test('a deleted contact frees its number, and can be restored for a minute', async () => {
  const { id, phone } = await newContact({ tags: ['feira'] })
  expect(await remove(id)).toMatchObject({ status: 204 })
  expect(await read(id)).toMatchObject({ status: 404 })
  const back = await act(id, 'restore')
  expect(back).toMatchObject({ status: 200, body: { id, phone, tags: ['feira'] } })
  // Pressed twice, it is restored once.
  expect(await act(id, 'restore')).toMatchObject({ status: 200 })
  expect(await auditOf(id)).toEqual(['contact.create', 'contact.delete', 'contact.restore'])
  await remove(id)
  await t.sql`update contacts set deleted_at = deleted_at - interval '61 seconds' where id = ${id}`
  expect(refusal(await act<ErrorBody>(id, 'restore'))).toEqual([404, 'Contato não encontrado'])
  expect(refusal(await act<ErrorBody>(999_999, 'restore'))).toEqual([404, 'Contato não encontrado'])
})

test('a restored contact does not take its number from another contact', async () => {
  const { id, phone } = await newContact()
  await remove(id)
  const heir = await newContact({ name: 'Outra', phone: `+${phone}` })
  expect(refusal(await act<ErrorBody>(id, 'restore'))).toEqual([409, 'Este telefone já é do contato Outra.'])
  await remove(heir.id)
  expect(await act(id, 'restore')).toMatchObject({ status: 200 })
  const [identity] = await t.sql<{ contactId: number }>`
    select contact_id as "contactId" from contact_identities where kind = 'phone' and value = ${phone}`
  expect(identity?.contactId).toBe(id)
})

test('a contact with an open conversation cannot be deleted', async () => {
  const conversation = await given.conversation(t, chefe)
  expect(refusal(await remove(conversation.contactId))).toEqual([
    409,
    'Este contato tem uma conversa aberta. Finalize a conversa antes de excluir o contato.',
  ])
  expect(await read(conversation.contactId)).toMatchObject({ status: 200 })
})

test('a contact that was merged cannot be restored as a deleted one', async () => {
  const { id } = await newContact()
  await t.sql`with gone as (delete from contact_identities where contact_id = ${id})
        update contacts set deleted_at = app_now(), phone = null where id = ${id}`
  expect(await act(id, 'restore')).toMatchObject({ status: 404 })
})

test('the open conversation of a blocked contact is completed without a text', async () => {
  const { conversation, phoneId } = await newTalk(t, chefe)
  const { contactId } = conversation
  const said = () => t.simulator.control.chat(phoneId).filter(({ from }) => from === 'company')
  const before = said()
  expect(await act(contactId, 'block')).toMatchObject({ status: 200, body: { isBlocked: true } })
  const [ended] = await t.sql`select c.status, m.metadata #>> '{event,act}' as act, m.sender_id as by,
               (select count(*)::int from queue_pending_conversations q
                 where q.conversation_id = c.id and q.processed_at is null) as waiting
          from conversations c join messages m on m.conversation_id = c.id
         where c.id = ${conversation.id} order by m.id desc limit 1`
  expect(ended).toEqual({ status: 'completed', act: 'blocked', by: chefe.userId, waiting: 0 })
  // Again, it changes nothing and is not written down twice.
  await act(contactId, 'block')
  t.simulator.control.sendText(phoneId, 'alô?')
  // A message that comes after it is handled after it.
  await newTalk(t, chefe)
  expect(said()).toEqual(before)
  expect(await t.sql`select id from conversations where contact_id = ${contactId}`).toEqual([
    { id: conversation.id },
  ])
  expect(await act(contactId, 'unblock')).toMatchObject({ status: 200, body: { isBlocked: false } })
  expect((await auditOf(contactId)).filter((action) => action.endsWith('block'))).toEqual([
    'contact.block',
    'contact.unblock',
  ])
})
