import { expect, test } from 'vitest'
import type { AuditPage } from '#shared/audit/audit-logs.ts'
import type { Contact } from '#shared/contacts/contacts.ts'
import { mostShownAnHour } from '#shared/contacts/shown-phone.ts'
import type { Conversation, ConversationPage } from '#shared/conversations/conversations.ts'
import type { Me } from '#shared/users/users.ts'
import { formatPhone } from '#shared/text/phone.ts'
import { maskPhone } from '#shared/contacts/masked-phone.ts'
import { sentenceOf } from '#shared/text/audit/sentences.ts'
import { given } from '#server/testing/given.ts'
import { type Client, eventually, forAllTests, refusal, testApp } from '#server/testing/test-app.ts'
import { connectLive } from '#server/testing/live-client.ts'

const t = forAllTests(testApp)
const admin = forAllTests(() => t.signIn('admin', 'chefe'))
const ana = forAllTests(() => t.signIn('operator', 'ana'))
const bruno = forAllTests(() => t.signIn('operator', 'bruno'))

const phones = (who: Client) => `/api/user-permissions/${who.userId}/phones`
const hide = (who: Client, revealsPhones = false) =>
  admin.request('PUT', phones(who), { hidesPhones: true, revealsPhones })
const show = (who: Client) => admin.request('PUT', phones(who), { hidesPhones: false, revealsPhones: false })

let people = 0
/** A contact with a number of its own, known by it alone unless there is a name. */
async function contact(name?: string): Promise<{ id: number; phone: string }> {
  people += 1
  const phone = `55119${String(84_210_000 + people * 7_919).padStart(8, '0')}`
  const made = await admin.request<Contact>('POST', '/api/contacts', {
    name: name ?? formatPhone(phone),
    phone,
    email: '',
  })
  expect(made.status).toBe(201)
  return { id: made.body.id, phone }
}
const found = async (who: Client, search: string) =>
  (
    await who.get<{ contacts: Contact[] }>(`/api/contacts?limit=100&search=${encodeURIComponent(search)}`)
  ).contacts.map(({ id }) => id)

test('who has numbers hidden sees their ends from the next answer on, until that is over', async () => {
  const { id, phone } = await contact('Maria das Dores')
  expect((await ana.get<Me>('/api/auth/me')) as unknown).not.toHaveProperty('user.hidesPhones')
  expect((await hide(ana)).body).toEqual({ userId: ana.userId, hidesPhones: true, revealsPhones: false })
  expect(await ana.get(`/api/contacts/${id}`)).toMatchObject({
    name: 'Maria das Dores',
    phone: `(11) •••• -${phone.slice(-4)}`,
  })
  expect(await ana.get('/api/auth/me')).toMatchObject({ user: { hidesPhones: true } })
  expect(await bruno.get(`/api/contacts/${id}`)).toMatchObject({ phone })
  await show(ana)
  expect(await ana.get(`/api/contacts/${id}`)).toMatchObject({ phone })
})

test('the setting is audited in a sentence, and changes nothing for a second time', async () => {
  await hide(ana, true)
  await hide(ana, true)
  await show(ana)
  const { rows } = await admin.get<AuditPage>('/api/audit-logs?limit=100&group=permissions')
  const about = rows.filter(({ resource }) => resource.id === String(ana.userId)).slice(0, 2)
  expect(about.map((row) => sentenceOf(row, () => 'alguém'))).toEqual([
    expect.stringMatching(/^Chefe deixou de ocultar os telefones de clientes para /),
    expect.stringMatching(
      /^Chefe passou a ocultar os telefones de clientes para .*, que pode mostrar um de cada vez$/,
    ),
  ])
})

test('nothing can be hidden from an administrator, nor shown without being hidden', async () => {
  const other = await t.signIn('admin')
  expect(await hide(other)).toMatchObject(refusal(409, 'permissions.of_admin'))
  expect((await admin.request('PUT', phones(ana), { hidesPhones: false, revealsPhones: true })).body).toEqual(
    {
      userId: ana.userId,
      hidesPhones: false,
      revealsPhones: false,
    },
  )
  // What was set before somebody became an administrator.
  await t.sql`update users set hides_phones = true where id = ${other.userId}`
  const { id, phone } = await contact()
  expect(await other.get(`/api/contacts/${id}`)).toMatchObject({ phone, name: formatPhone(phone) })
})

test('an unnamed contact is masked where its number stands in for the name', async () => {
  await hide(ana)
  const { id, phone } = await contact()
  const masked = maskPhone(phone)
  expect(await ana.get(`/api/contacts/${id}`)).toMatchObject({ name: masked, phone: masked })
})

test('a hidden number is found by its last four digits and whole, and by no other part', async () => {
  await hide(ana)
  const named = await contact('Joana Prado')
  const unnamed = await contact()
  for (const { id, phone } of [named, unnamed]) {
    const local = phone.slice(2)
    for (const search of [phone, local, formatPhone(phone), `+${phone}`, phone.slice(-4), phone.slice(-3)])
      expect([search, (await found(ana, search)).includes(id)]).toEqual([search, true])
    for (let from = 0; from < local.length; from++)
      for (const length of [2, 3, 4, 5, 7, 8, 10]) {
        const part = local.slice(from, from + length)
        if (part.length < length || phone.slice(-4).includes(part) || part === local) continue
        const both = [
          part,
          formatPhone(phone)
            .slice(from, from + length)
            .trim(),
        ]
        for (const search of both) {
          const digits = search.replaceAll(/\D/g, '')
          if (digits === '' || phone.slice(-4).includes(digits)) continue
          expect([search, (await found(ana, search)).includes(id)]).toEqual([search, false])
        }
      }
    expect(await found(bruno, local.slice(3, 8))).toContain(id)
    // As WhatsApp shows a number, with another hyphen.
    const written = `+55 11 ${local.slice(2, 7)}\u2011${local.slice(7)}`
    await t.sql`update contacts set name = ${written} where id = ${id}`
    expect(await found(ana, local.slice(2, 7))).not.toContain(id)
  }
})

test('contacts whose number is hidden stand in no order of their numbers', async () => {
  await hide(ana)
  const made = [await contact(), await contact('Zulmira Alves'), await contact()]
  await t.sql`update contacts set name = '(99) 99999-9999' where id = ${made[0]?.id ?? 0}`
  const all: number[] = []
  for (let page = 1; all.length < 200; page++) {
    const { contacts } = await ana.get<{ contacts: Contact[] }>(`/api/contacts?limit=100&page=${page}`)
    if (contacts.length === 0) break
    all.push(...contacts.map(({ id }) => id))
  }
  const places = made.map(({ id }) => all.indexOf(id))
  const [first = 0, named = 0, last = 0] = places
  expect(named).toBeLessThan(first)
  expect(first).toBeLessThan(last)
  expect(new Set(all).size).toBe(all.length)
})

test('the lists of conversations are searched by the digits that are seen', async () => {
  await hide(ana)
  const conversation = await given.conversation(t, admin)
  const phone = conversation.contact.phone ?? ''
  const of = async (who: Client, search: string) =>
    (
      await who.get<ConversationPage>(`/api/conversations?page=1&limit=50&search=${search}`)
    ).conversations.some(({ id }) => id === conversation.id)
  expect(await of(ana, phone.slice(-4))).toBe(true)
  expect(await of(ana, phone)).toBe(true)
  expect(await of(ana, phone.slice(4, 9))).toBe(false)
  expect(await of(bruno, phone.slice(4, 9))).toBe(true)
})

test.each(['open', 'completed'])(
  'digits of a number are no way into the words of an %s conversation',
  async (state) => {
    await hide(ana)
    const flags = { canViewArchivedConversations: true }
    await admin.request('POST', '/api/user-permissions', { userId: ana.userId, flags })
    const conversation = await given.conversation(t, admin)
    const phone = conversation.contact.phone ?? ''
    await t.sql`update contacts set name = ${formatPhone(phone)} where id = ${conversation.contactId}`
    await admin.request('PATCH', `/api/conversations/${conversation.id}/assign-operator`, {
      operatorId: ana.userId,
    })
    if (state === 'completed') await ana.request('POST', `/api/conversations/${conversation.id}/finalize`, {})
    const of = async (who: Client, search: string) =>
      (
        await who.get<{ conversations: Conversation[] }>(
          `/api/conversations/search?search=${encodeURIComponent(search)}`,
        )
      ).conversations.some(({ id }) => id === conversation.id)
    const middle = formatPhone(phone).slice(5, 10)
    await eventually(() => of(admin, middle), true)
    expect(await of(ana, middle)).toBe(false)
    expect(await of(ana, `"${middle}"`)).toBe(false)
    expect(await of(ana, middle.slice(0, 3))).toBe(false)
    expect(await of(ana, phone)).toBe(true)
    expect(await of(ana, phone.slice(-4))).toBe(true)
  },
)

test('a form that is saved as it was shown keeps the stored number and name', async () => {
  await hide(ana)
  const { id, phone } = await contact()
  const { name, phone: masked } = await ana.get<Contact>(`/api/contacts/${id}`)
  const saved = await ana.request('PUT', `/api/contacts/${id}`, {
    name,
    phone: masked,
    notes: 'Prefere a tarde',
  })
  expect(saved.status).toBe(200)
  expect(await admin.get(`/api/contacts/${id}`)).toMatchObject({
    name: formatPhone(phone),
    phone,
    notes: 'Prefere a tarde',
  })
  expect(
    await t.sql`select 1 from contact_identities where contact_id = ${id} and value = ${phone}`,
  ).toHaveLength(1)
})

test('a number is changed only by a whole one, and a refusal tells nobody else’s', async () => {
  await hide(ana)
  const one = await contact('Pedro Luz')
  const other = await contact()
  const put = (body: object) => ana.request('PUT', `/api/contacts/${one.id}`, body)
  expect(await put({ phone: '(11) •••• -0000' })).toMatchObject(refusal(400, 'contacts.phone_masked'))
  expect(await put({ name: '(11) •••• -0000' })).toMatchObject(refusal(400, 'contacts.name_masked'))
  const taken = await put({ phone: other.phone })
  expect(taken.status).toBe(409)
  expect(JSON.stringify(taken.body)).toContain(maskPhone(other.phone))
  expect(JSON.stringify(taken.body).replaceAll(/\D/g, '')).not.toContain(other.phone.slice(-8))
  people += 1
  const free = `55119${84_999_000 + people}`
  expect(await put({ phone: free })).toMatchObject({ status: 200, body: { phone: maskPhone(free) } })
  expect(await admin.get(`/api/contacts/${one.id}`)).toMatchObject({ phone: free })
})

test('a company that is saved as it was shown keeps its stored number', async () => {
  await hide(ana)
  await admin.request('POST', '/api/companies', { name: 'Padaria Luz', phone: '(11) 4002-8922' })
  const flags = { canViewCompanies: true, canEditCompanies: true }
  await admin.request('PUT', `/api/user-permissions/${ana.userId}`, flags)
  const read = async (who: Client) =>
    (
      await who.get<{ companies: { id: number; phone: string; updatedAt: string }[] }>(
        '/api/companies?page=1&search=Padaria',
      )
    ).companies[0]
  const { id = 0, phone = '' } = (await read(ana)) ?? {}
  expect(phone).toBe('(11) •••• -8922')
  expect((await ana.request('PUT', `/api/companies/${id}`, { phone, responsibleName: 'Lia' })).status).toBe(
    200,
  )
  expect(await read(admin)).toMatchObject({ phone: '551140028922', responsibleName: 'Lia' })
})

test('a conversation is begun with a contact whose number is hidden', async () => {
  const caio = await t.signIn('operator', 'caio')
  const flags = { canCreateConversations: true, canEditConversations: true }
  await admin.request('POST', '/api/user-permissions', { userId: caio.userId, flags })
  await hide(caio)
  const { id, phone } = await contact('Rui Costa')
  const begun = await caio.request<{ conversation: Conversation }>(
    'POST',
    `/api/contacts/${id}/send-message`,
    {
      content: 'Bom dia',
      clientMessageId: `hidden-${id}-abcdef`,
    },
  )
  expect(begun.status).toBeLessThan(300)
  expect(JSON.stringify(begun.body)).not.toContain(phone.slice(-8))
  const known = await caio.request('POST', '/api/contacts/by-phone', { phone, name: '' })
  expect(known).toMatchObject({ status: 200, body: { id, phone: maskPhone(phone) } })
})

test('one number is shown to whoever may have it shown, and each time is in the audit log', async () => {
  await hide(ana, true)
  const { id, phone } = await contact('Clara Sá')
  expect(await ana.request('POST', `/api/contacts/${id}/phone`)).toMatchObject({
    status: 200,
    body: { contactId: id, number: phone },
  })
  const { rows } = await admin.get<AuditPage>('/api/audit-logs?limit=100&group=contact')
  const shown = rows.filter(({ action }) => action === 'contact.show_phone')
  expect(shown).toMatchObject([{ actor: { id: ana.userId }, resource: { type: 'contact', id: String(id) } }])
  expect(shown.map((row) => sentenceOf(row, () => ''))).toEqual([
    'Ana mostrou o telefone do contato Clara Sá',
  ])
  expect(JSON.stringify(shown)).not.toContain(phone.slice(-8))
})

test('a number stays hidden without the permission, and of nobody there is none', async () => {
  await hide(ana)
  const { id } = await contact('Nei Dias')
  expect(await ana.request('POST', `/api/contacts/${id}/phone`)).toMatchObject(
    refusal(403, 'contacts.phones_hidden'),
  )
  await hide(ana, true)
  expect(await ana.request('POST', '/api/contacts/999999/phone')).toMatchObject(
    refusal(404, 'contacts.not_found'),
  )
  await admin.request('DELETE', `/api/contacts/${id}`)
  expect(await ana.request('POST', `/api/contacts/${id}/phone`)).toMatchObject(
    refusal(404, 'contacts.not_found'),
  )
})

test('whoever sees all numbers is shown one without a trace', async () => {
  const { id, phone } = await contact('Eva Reis')
  expect(await bruno.request('POST', `/api/contacts/${id}/phone`)).toMatchObject({ body: { number: phone } })
  expect(
    await t.sql`select 1 from audit_logs where action = 'contact.show_phone' and resource_id = ${String(id)}`,
  ).toEqual([])
})

test('more numbers than usual work needs are not shown within an hour', async () => {
  const eager = await t.signIn('operator')
  await hide(eager, true)
  const { id } = await contact('Ida Melo')
  for (let n = 0; n < mostShownAnHour; n++)
    expect((await eager.request('POST', `/api/contacts/${id}/phone`)).status).toBe(200)
  expect(await eager.request('POST', `/api/contacts/${id}/phone`)).toMatchObject(
    refusal(429, 'contacts.phones_shown_often'),
  )
  expect(
    await t.sql`select count(*)::int as n from audit_logs
                 where user_id = ${eager.userId} and action = 'contact.show_phone'`,
  ).toEqual([{ n: mostShownAnHour }])
})

test('an open socket is told masked numbers from the change on, others whole ones', async () => {
  await show(ana)
  const sockets = [await connectLive(t.app.url, ana), await connectLive(t.app.url, bruno)] as const
  await Promise.all(sockets.map((socket) => socket.heard('hello')))
  await hide(ana)
  await sockets[0].heard('permissions_changed')
  const { id, contact: client } = await given.conversation(t, admin)
  await admin.request('PATCH', `/api/conversations/${id}/priority`, { priority: 'high' })
  const isIt = (frame: { data: { conversationId: number } }) => frame.data.conversationId === id
  const [own, other] = await Promise.all(
    sockets.map((socket) => socket.heard('conversation_updated', isIt as never)),
  )
  expect(own?.data.conversation.contact.phone).toBe(maskPhone(client.phone ?? ''))
  expect(other?.data.conversation.contact.phone).toBe(client.phone)
  await Promise.all(sockets.map((socket) => socket.close()))
})

test('the shared answer of the list has another ETag where numbers are hidden', async () => {
  await given.conversation(t, admin)
  await hide(ana)
  const tagOf = async (who: Client) =>
    (
      await fetch(`${t.app.url}/api/conversations`, { headers: { authorization: `Bearer ${who.token}` } })
    ).headers.get('etag')
  expect(await tagOf(ana)).not.toBe(await tagOf(bruno))
  expect(await tagOf(ana)).toBe(await tagOf(ana))
  await show(ana)
  expect(await tagOf(ana)).toBe(await tagOf(bruno))
})
