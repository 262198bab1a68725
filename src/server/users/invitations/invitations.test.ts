import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Account } from '#shared/users/accounts.ts'
import { invitationLink } from '#shared/text/invitation-link.ts'
import type { Invitation, InvitationOffer } from '#shared/users/invitations.ts'
import type { Me } from '#shared/users/users.ts'
import { newTalk } from '#server/testing/new-talk.ts'
import { addNumber } from '#server/testing/add-number.ts'
import {
  type Client,
  eventually,
  forAllTests,
  refusal,
  testApp,
  testPassword,
} from '#server/testing/test-app.ts'

const t = forAllTests(() => testApp())
const chefe = forAllTests(() => t.signIn('admin', 'chefe'))

const path = '/api/invitations'
type Made = { invitation: Invitation; token: string }
const invite = async (body: object = {}, who: Client = chefe): Promise<Made> => {
  const answer = await who.request<Made>('POST', path, body)
  expect(answer.status).toBe(201)
  return answer.body
}
const open = (token: string) => t.request<InvitationOffer>('POST', `${path}/open`, { token })
const person = () => {
  const username = `nova-${randomBytes(4).toString('hex')}`
  return { username, name: 'Nova Pessoa', email: `${username}@teste.example`, password: testPassword }
}
const accept = (token: string, account: object = person()) =>
  t.request<{ username: string }>('POST', `${path}/accept`, { token, ...account })
const listed = async () => (await chefe.get<Invitation[]>(path)).map(({ id }) => id)
const audited = (invitationId: number) =>
  t.sql<{ action: string; details: object; personal: object }>`
    select l.action, l.details, p.values as personal
      from audit_logs l join audit_personal p on p.log_id = l.id
     where l.details ->> 'invitationId' = ${String(invitationId)} order by l.id`

test('an invited person chooses name and password, and has what the invitation says', async () => {
  const b = await addNumber(t, 'loja-convites')
  const flags = { canViewStatistics: true, canCreateContacts: false }
  const { invitation, token } = await invite({ name: 'Para a Rita', role: 'operator', numberIds: [b], flags })
  expect(invitation).toMatchObject({ name: 'Para a Rita', role: 'operator', numberIds: [b], sentTo: null })
  expect(await listed()).toContain(invitation.id)
  expect((await open(token)).body).toMatchObject({ name: 'Para a Rita', role: 'operator' })
  const rita = person()
  expect(await accept(token, rita)).toMatchObject({ status: 201, body: { username: rita.username } })
  expect(await listed()).not.toContain(invitation.id)
  const { status, body } = await t.request<{ user: Me }>('POST', '/api/auth/login', rita)
  expect(status).toBe(200)
  // Nobody else knows the password, so another one need not be chosen.
  expect(body.user).toMatchObject({ name: 'Nova Pessoa', role: 'operator', pending: null })
  expect(body.user.permissions).toMatchObject(flags)
  expect(body.user.permissions.canViewConversations).toBe(true)
  const account = (await chefe.get<Account[]>('/api/users')).find(({ id }) => id === body.user.id)
  expect(account?.numberIds).toEqual([b])
  expect(await audited(invitation.id)).toMatchObject([
    { action: 'user.invite', details: { role: 'operator', numberIds: [b], isCustom: true } },
    { action: 'user.join', details: { role: 'operator' }, personal: { username: rita.username } },
  ])
})

test('an invitation is stored without the token of its link', async () => {
  const { invitation, token } = await invite()
  const rows = await t.sql`select i::text as row from invitations i where id = ${invitation.id}
     union all select l.details::text || p.values::text
                 from audit_logs l join audit_personal p on p.log_id = l.id
                where l.details ->> 'invitationId' = ${String(invitation.id)}`
  expect(rows.length).toBe(2)
  expect(JSON.stringify([rows, await chefe.get(path)])).not.toContain(token)
})

test('an invitation that is used twice at once makes one account', async () => {
  for (let round = 0; round < 5; round++) {
    const { invitation, token } = await invite()
    const answers = await Promise.all([accept(token), accept(token), accept(token)])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 410, 410])
    const joined = await t.sql`select from audit_logs where action = 'user.join'
      and details ->> 'invitationId' = ${String(invitation.id)}`
    expect(joined).toHaveLength(1)
  }
})

test('an invitation that is withdrawn while it is used is either used or withdrawn', async () => {
  for (let round = 0; round < 5; round++) {
    const { invitation, token } = await invite()
    const account = person()
    const [joined, withdrawn] = await Promise.all([
      accept(token, account),
      chefe.request('DELETE', `${path}/${invitation.id}`),
    ])
    expect([joined.status, withdrawn.status]).toSatisfy(
      ([one, other]) => (one === 201 && other === 404) || (one === 410 && other === 204),
    )
    const made = await t.sql`select from users where username = ${account.username}`
    expect(made).toHaveLength(joined.status === 201 ? 1 : 0)
  }
})

describe('the link of an invitation', () => {
  const ends: [string, (made: Made) => Promise<unknown>, number, string][] = [
    ['used', ({ token }) => accept(token), 410, 'invitations.used'],
    [
      'withdrawn',
      ({ invitation: { id } }) => chefe.request('DELETE', `${path}/${id}`),
      410,
      'invitations.withdrawn',
    ],
    [
      'expired',
      ({ invitation: { id } }) => t.sql`update invitations set expires_at = app_now() where id = ${id}`,
      410,
      'invitations.expired',
    ],
    [
      'unknown',
      ({ invitation: { id } }) => t.sql`delete from invitations where id = ${id}`,
      404,
      'invitations.unknown',
    ],
  ]
  test.each(ends)(
    'the link of an invitation that is %s says so, and makes no account',
    async (_what, end, status, code) => {
      const made = await invite()
      await end(made)
      const account = person()
      for (const answer of [await open(made.token), await accept(made.token, account)])
        expect(answer).toMatchObject(refusal(status, code))
      expect(await t.sql`select from users where username = ${account.username}`).toEqual([])
      expect(await chefe.request('DELETE', `${path}/${made.invitation.id}`)).toMatchObject(
        refusal(404, 'invitations.not_found'),
      )
    },
  )

  test('the link of an invitation lasts for three days', async () => {
    const { invitation } = await invite()
    const days = (Date.parse(invitation.expiresAt) - Date.parse(invitation.createdAt)) / 86_400_000
    expect(days).toBe(3)
  })

  test.each<[string, (id: number) => Promise<unknown>]>([
    ['demoted', (id) => chefe.request('PUT', `/api/users/${id}`, { role: 'operator' })],
    ['blocked', (id) => chefe.request('POST', `/api/users/${id}/toggle-block`)],
    ['deleted', (id) => chefe.request('DELETE', `/api/users/${id}`)],
  ])('the link of an administrator who was %s gives nothing any more', async (_how, end) => {
    const other = await t.signIn('admin')
    const { invitation, token } = await invite({ role: 'admin' }, other)
    await end(other.userId)
    expect(await accept(token)).toMatchObject(refusal(410, 'invitations.withdrawn'))
    expect(await listed()).not.toContain(invitation.id)
  })

  test('the link of an invitation can be used again after a refused name, address or password', async () => {
    const { token } = await invite({ role: 'admin' })
    const first = person()
    expect((await accept((await invite()).token, first)).status).toBe(201)
    const second = person()
    const taken = { ...second, username: first.username.toUpperCase() }
    expect(await accept(token, taken)).toMatchObject(refusal(409, 'users.username_taken'))
    expect(await accept(token, { ...second, email: first.email })).toMatchObject(
      refusal(409, 'users.email_taken'),
    )
    expect(await accept(token, { ...second, password: 'flamengo10' })).toMatchObject(
      refusal(422, 'users.common_password'),
    )
    expect(await accept(token, { ...second, password: '123' })).toMatchObject({ status: 400 })
    expect(await accept(token, { ...second, role: 'admin', isActive: true })).toMatchObject({ status: 400 })
    expect((await accept(token, second)).status).toBe(201)
  })
})

test('an invitation gives no numbers that do not exist, and no permissions to an administrator', async () => {
  expect(await chefe.request('POST', path, { numberIds: [2_000_000_000] })).toMatchObject(
    refusal(404, 'gateway.not_found'),
  )
  expect(
    await chefe.request('POST', path, { role: 'admin', flags: { canViewCompanies: true } }),
  ).toMatchObject(refusal(409, 'permissions.of_admin'))
})

test('whoever tries too many links from an address is refused for a while', async () => {
  const own = await testApp()
  try {
    const admin = await own.signIn('admin')
    const { body } = await admin.request<Made>('POST', path, {})
    const ask = (token: string) => own.request('POST', `${path}/open`, { token })
    for (let n = 0; n < 60; n++) expect((await ask('errado')).status).toBe(404)
    expect(await ask(body.token)).toMatchObject(refusal(429, 'invitations.too_many'))
    await own.sql`update rate_limits set window_ends_at = app_now() where key like 'invitation:%'`
    for (let n = 0; n < 70; n++) expect((await ask(body.token)).status).toBe(200)
  } finally {
    await own.close()
  }
})

describe('an invitation by WhatsApp', () => {
  const send = ({ invitation, token }: Made, body: object) =>
    chefe.request<Invitation>('POST', `${path}/${invitation.id}/send`, { token, ...body })
  const textsOf = (phoneId: string) => t.simulator.control.chat(phoneId).map(({ text }) => text ?? '')

  test('an invitation by WhatsApp comes from the company’s number, and nothing of it is stored', async () => {
    const phone = t.simulator.control.createPhone({ name: 'Rita' })
    const made = await invite({ name: 'Rita' })
    const answer = await send(made, { phone: phone.number })
    expect(answer).toMatchObject({ status: 200, body: { sentTo: phone.number } })
    const link = invitationLink(t.app.url, made.token)
    const [text = ''] = await eventually(
      () => textsOf(phone.id),
      (texts) => texts.length === 1,
    )
    expect(text).toMatch(/^Olá, Rita! Chefe convidou você/)
    expect(text.endsWith(`\n\n${link}`)).toBe(true)
    await t.settled()
    const traces = () => t.sql`select 1 from webhook_inbox where payload::text like ${`%${made.token}%`}
      union all select 2 from messages m where m::text like ${`%${made.token}%`}
      union all select 3 from audit_personal where values::text like ${`%${made.token}%`}`
    expect(await traces()).toEqual([])
    expect(await t.sql`select from contacts where phone = ${phone.number}`).toEqual([])
    expect(await audited(made.invitation.id)).toMatchObject([
      { action: 'user.invite' },
      { action: 'user.invite_send', personal: { name: 'Rita', phone: phone.number } },
    ])
    // Who answers it, or sends it back, is heard like any other, without what is secret.
    const [{ id: quotedId } = {}] = t.simulator.control.chat(phone.id)
    t.simulator.control.send(phone.id, { kind: 'text', text: 'Recebi!', ...(quotedId && { quotedId }) })
    t.simulator.control.sendText(phone.id, `Não abriu: ${link}`)
    const said = await eventually(
      () => t.sql<{ content: string; quoted: string | null }>`
        select m.content, m.quoted_content as quoted from messages m
          join conversations c on c.id = m.conversation_id join contacts k on k.id = c.contact_id
         where k.phone = ${phone.number} and m.sender_type = 'contact' order by m.id`,
      (rows) => rows.length === 2,
    )
    expect(said[0]?.quoted).toContain('Chefe convidou você')
    expect(said[0]?.quoted).toContain('/convite#•••')
    expect(said[1]?.content).toBe(`Não abriu: ${invitationLink(t.app.url, '•••')}`)
    expect(await traces()).toEqual([])
  })

  test('the link of an invitation is not sent within a conversation, which operators read', async () => {
    const made = await invite()
    const { conversation } = await newTalk(t, chefe)
    const content = `Entre por aqui: ${invitationLink(t.app.url, made.token)}`
    const answer = await chefe.request('POST', `/api/conversations/${conversation.id}/messages`, { content })
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining('Convidar') } })
  })

  test('an invitation by WhatsApp that is not sent says why, and stays open', async () => {
    const made = await invite()
    expect(await send(made, { phone: '123' })).toMatchObject({
      status: 400,
      body: { code: 'request.invalid' },
    })
    expect(await send({ ...made, token: (await invite()).token }, { phone: '11987654321' })).toMatchObject(
      refusal(404, 'invitations.not_found'),
    )
    await t.sql`update evolution_api_config set is_active = false where id = ${t.instanceId}`
    try {
      expect(await send(made, { phone: '11987654321', instanceId: t.instanceId })).toMatchObject(
        refusal(409, 'gateway.inactive'),
      )
    } finally {
      await t.sql`update evolution_api_config set is_active = true where id = ${t.instanceId}`
    }
    expect((await chefe.get<Invitation[]>(path)).find(({ id }) => id === made.invitation.id)).toMatchObject({
      sentTo: null,
      sentAt: null,
    })
  })
})
