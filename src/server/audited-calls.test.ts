import { Readable } from 'node:stream'
import { sql } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CompanyOption } from '#shared/contacts/companies.ts'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { EvolutionConfig } from '#shared/gateway/gateway.ts'
import type { Message } from '#shared/messages/messages.ts'
import type { MaintenanceStats } from '#shared/maintenance/maintenance.ts'
import type { MaintenancePlan } from '#shared/maintenance/maintenance-plan.ts'
import { flags } from '#shared/permissions.ts'
import type { Session } from '#shared/users/profile.ts'
import { rows } from '#server/platform/database/db.ts'
import { createBackupStore } from '#server/maintenance/maintenance.ts'
import { saveSettings } from '#server/settings/settings.ts'
import { allCalls, allRows, validValues } from '#server/testing/calls.ts'
import { answering } from '#server/testing/assistant-stage.ts'
import { given } from '#server/testing/given.ts'
import { newTalk } from '#server/testing/new-talk.ts'
import { type AgentServer, startAgentServer } from '#server/testing/servers/agent-server.ts'
import { type Client, eventually, testApp, testPassword, type TestApp } from '#server/testing/test-app.ts'

let agent: AgentServer
let t: TestApp
let chefe: Client
let bruno: Client

beforeAll(async () => {
  agent = await startAgentServer()
  t = await testApp({ GPT_MAKER_URL: agent.url })
  chefe = await t.signIn('admin', 'chefe')
  bruno = await t.signIn('operator', 'bruno')
  // What was written can still be changed and undone.
  await saveSettings(t.database, { undoSendSeconds: 10 })
})
afterAll(async () => {
  await t.close()
  await agent.close()
})

const declared = await allRows()

let names = 0
const anyName = (what: string) => `${what}-${++names}`
const account = () => {
  const username = anyName('pessoa')
  return { username, name: username, email: `${username}@teste.example`, password: 'uma-senha-boa' }
}
const newUser = async () => (await chefe.request<{ id: number }>('POST', '/api/users', account())).body.id
const path = (id: number, rest = '') => `/api/conversations/${id}${rest}`
const open = async () => await given.conversation(t, chefe)
const assigned = async (who: Client) => {
  const { id } = await open()
  await chefe.request('PATCH', path(id, '/assign-operator'), { operatorId: who.userId })
  return id
}
const finished = async () => {
  const id = await assigned(bruno)
  await bruno.request('POST', path(id, '/finalize'), {})
  return id
}
const firstMessage = async (id: number) =>
  (await bruno.request<Message[]>('GET', path(id, '/messages'))).body[0]?.id ?? 0
const written = async () => {
  const id = await assigned(chefe)
  const { body } = await chefe.request<Message>('POST', path(id, '/messages'), { content: 'Bom dia' })
  return path(id, `/messages/${body.id}`)
}
const withFile = async () => {
  const { conversation, phoneId } = await newTalk(t, chefe)
  const base64 = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\n%%EOF\n').toString('base64')
  t.simulator.control.send(phoneId, { kind: 'document', base64, fileName: 'nota.pdf' })
  const message = await eventually(
    async () =>
      (await chefe.request<Message[]>('GET', path(conversation.id, '/messages'))).body.find(
        ({ messageType }) => messageType === 'document',
      ),
    (found) => found !== undefined,
  )
  await chefe.request('PATCH', path(conversation.id, '/assign-operator'), { operatorId: bruno.userId })
  await bruno.request('POST', path(conversation.id, '/finalize'), {})
  return message?.id ?? 0
}
const contact = async () => {
  const phone = `55119${String(10_000_000 + ++names)}`
  const { body } = await chefe.request<{ id: number }>('POST', '/api/contacts/by-phone', {
    phone,
    name: 'Rita',
  })
  return body.id
}
const company = async () => {
  const { body } = await chefe.request<{ id: number }>('POST', '/api/companies', { name: anyName('Loja') })
  return body.id
}
const category = async () => {
  const body = { name: anyName('Atacado'), color: '#ca8a04' }
  return (await chefe.request<{ id: number }>('POST', '/api/contact-categories', body)).body.id
}
const gateway = async () => (await chefe.request<EvolutionConfig>('GET', '/api/evolution-config')).body
const form = async () => ({
  instanceName: anyName('loja'),
  baseUrl: t.simulator.url,
  apiKey: t.simulator.apiKey,
})

/** A number that the gateway has, and that is not linked. @returns its id */
const closedNumber = async () => {
  const body = await form()
  await fetch(`${t.simulator.url}/instance/create`, {
    method: 'POST',
    headers: { apikey: t.simulator.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ instanceName: body.instanceName, integration: 'WHATSAPP-BAILEYS' }),
  })
  return (await chefe.request<EvolutionConfig>('POST', '/api/evolution-config', body)).body.id
}

const assistantForm = () => ({
  ...answering(agent),
  agentName: anyName('Aurora'),
  isActive: false,
  helpBaseUrl: `${agent.url}/v1`,
  helpModel: 'llama',
  helpKey: agent.token,
  canSummarize: true,
  canSuggest: true,
})
const helped = (what: string) => async () => {
  await chefe.request('PUT', '/api/gpt-maker-config', assistantForm())
  const { id } = await open()
  return () => chefe.request('POST', path(id, what))
}

const contactFile = async (state: string) => {
  const [made] = await rows<{ id: number }>(
    t.database,
    sql`insert into contact_imports (file_name, stored_name, size_bytes, format, encoding, has_bom, separator,
          headers, samples, first_rows, total_rows, mapping, state, uploaded_by, ended_at)
        values ('lista.csv', ${anyName('arquivo-de-contatos')}, 10, 'csv', 'utf-8', false, ';',
                '{Nome,Fone}', '{"",""}', '[]', 1, '["name","phone"]', ${state}, ${chefe.userId},
                case when ${state} in ('stopped', 'done') then app_now() end) returning id`,
  )
  return made?.id ?? 0
}
const completedBackup = async () => {
  const folder = anyName('pasta-de-um-backup-')
  await createBackupStore(t.config).write(folder, 'layout', Readable.from([Buffer.from('')]))
  const [made] = await rows<{ id: number }>(
    t.database,
    sql`insert into maintenance_backups (name, status, file_path, size, completed_at)
        values ('Backup', 'completed', ${folder}, 1024, app_now()) returning id`,
  )
  return made?.id ?? 0
}
const onBackup =
  (before: string, after = '') =>
  async () =>
    `/api/maintenance/${before}/${await completedBackup()}${after}`
const newBackup = () => ({ name: anyName('Backup'), type: 'complete' })
const restored = () => ({ restoreComplete: true, restoreSettings: true })
const onFile = (state: string, act: string) => async () =>
  `/api/contacts/imports/${await contactFile(state)}/${act}`
const mapping = (known: string) => () => ({ mapping: ['name', 'phone'], known })

interface Done {
  status: number
}
/** Prepares a call and returns it; only what it leaves is counted. */
type Act = () => Promise<() => Promise<Done>>
const by =
  (method: string, address: () => Promise<string> | string, body?: () => unknown): Act =>
  async () => {
    const [to, sent] = [await address(), await body?.()]
    return () => chefe.request(method, to, sent)
  }
const reading = (rest: (id: number) => Promise<string> | string): Act =>
  by('GET', async () => {
    const id = await finished()
    return path(id, await rest(id))
  })
const fromArchive = (rest: string): Act =>
  by('GET', async () => `/api/conversations/archived/${await finished()}${rest}`)
/** The code of a second factor that is still to be confirmed. */
async function begunFactor(): Promise<string> {
  await chefe.request('DELETE', '/api/profile/second-factor')
  const { body } = await chefe.request<{ secret: string }>('POST', '/api/profile/second-factor')
  return new TOTP({ secret: Secret.fromBase32(body.secret) }).generate()
}
const factorOn = (address: string) => async () => {
  await chefe.request('PUT', '/api/profile/second-factor', { code: await begunFactor() })
  return address
}
const raw = (address: string, token: string) =>
  fetch(`${t.app.url}${address}`, { headers: { authorization: `Bearer ${token}` } })

const acts: Record<string, Act> = {
  'POST /api/auth/login': async () => () =>
    t.request('POST', '/api/auth/login', { username: 'chefe', password: testPassword }),
  'POST /api/auth/logout': async () => {
    const { body } = await t.request<{ token: string }>('POST', '/api/auth/login', {
      username: 'chefe',
      password: testPassword,
    })
    const headers = { authorization: `Bearer ${body.token}` }
    return () => t.request('POST', '/api/auth/logout', undefined, headers)
  },
  'POST /api/auth/reauthenticate': by(
    'POST',
    () => '/api/auth/reauthenticate',
    () => ({ password: testPassword }),
  ),
  'PUT /api/profile': by(
    'PUT',
    () => '/api/profile',
    () => ({ name: anyName('Chefe') }),
  ),
  'DELETE /api/profile/sessions/{id}': by('DELETE', async () => {
    await t.request('POST', '/api/auth/login', { username: 'chefe', password: testPassword })
    const { body } = await chefe.request<Session[]>('GET', '/api/profile/sessions')
    return `/api/profile/sessions/${body.find(({ isCurrent }) => !isCurrent)?.id}`
  }),
  'DELETE /api/profile/sessions': by('DELETE', () => '/api/profile/sessions'),
  'PUT /api/profile/picture': async () => () => {
    const picture = Buffer.alloc(64)
    Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x0a\0\0\0\x0a', 'latin1').copy(picture)
    const body = new FormData()
    body.append('file', new Blob([picture]), 'foto.png')
    const headers = { authorization: `Bearer ${chefe.token}` }
    return fetch(`${t.app.url}/api/profile/picture`, { method: 'PUT', headers, body })
  },
  'DELETE /api/profile/picture': by('DELETE', () => '/api/profile/picture'),
  'PUT /api/profile/second-factor': async () => {
    const code = await begunFactor()
    return () => chefe.request('PUT', '/api/profile/second-factor', { code })
  },
  'DELETE /api/profile/second-factor': by('DELETE', factorOn('/api/profile/second-factor')),
  'POST /api/profile/recovery-codes': by('POST', factorOn('/api/profile/recovery-codes')),
  'DELETE /api/users/{id}/sessions': by('DELETE', async () => `/api/users/${await newUser()}/sessions`),
  'DELETE /api/users/{id}/second-factor': by('DELETE', async () => {
    const id = await newUser()
    await t.database.execute(sql`update users set totp_confirmed_at = app_now() where id = ${id}`)
    return `/api/users/${id}/second-factor`
  }),
  'PUT /api/second-factor-duties': by(
    'PUT',
    () => '/api/second-factor-duties',
    () => ({ roles: [] }),
  ),
  'GET /api/conversations/{completed}': reading(() => ''),
  'GET /api/conversations/{completed}/messages': reading(() => '/messages'),
  'GET /api/conversations/{completed}/messages/{messageId}/details': reading(
    async (id) => `/messages/${await firstMessage(id)}/details`,
  ),
  'GET /api/conversations/{completed}/messages/search': reading(() => '/messages/search?words=oi'),
  'GET /api/conversations/{completed}/messages/{messageId}/versions': reading(
    async (id) => `/messages/${await firstMessage(id)}/versions`,
  ),
  'GET /api/conversations/{completed}/media': reading(() => '/media'),
  'GET /api/conversations/archived/{other}': fromArchive(''),
  'GET /api/conversations/archived/{other}/messages': fromArchive('/messages'),
  'GET /api/conversations/archived/{other}/search': fromArchive('/search?search=oi'),
  'GET /api/conversations/archived/{own}/export': fromArchive('/export?format=text'),
  'GET /api/conversations/archived/{other}/export': fromArchive('/export?format=html'),
  'GET /api/contacts/{id}/media': async () => {
    const messageId = await withFile()
    const [found] = await rows<{ contactId: number }>(
      t.database,
      sql`select v.contact_id as "contactId" from messages m join conversations v on v.id = m.conversation_id
           where m.id = ${messageId}`,
    )
    return () => chefe.request('GET', `/api/contacts/${found?.contactId}/media`)
  },
  'GET /api/media/evolution/{msg of archived}': async () => {
    const id = await withFile()
    return () => raw(`/api/media/evolution/${id}?download=1`, chefe.token)
  },
  'POST /api/conversations/{id}/messages/{messageId}/forward (contact)': by(
    'POST',
    async () => {
      const { id } = await open()
      return path(id, `/messages/${await firstMessage(id)}/forward`)
    },
    async () => ({ to: { contactId: await contact() } }),
  ),
  'POST /api/conversations/{id}/messages/{messageId}/undo': by('POST', async () => `${await written()}/undo`),
  'PUT /api/conversations/{id}/messages/{messageId}': by('PUT', written, () => ({ content: 'Boa tarde' })),
  'DELETE /api/conversations/{id}/messages/{messageId}': by('DELETE', written),
  'PATCH /api/conversations/{id}/toggle-auto-close': by(
    'PATCH',
    async () => path((await open()).id, '/toggle-auto-close'),
    () => ({ disableAutoClose: true }),
  ),
  'PUT /api/conversations/{id}/assistant': by(
    'PUT',
    async () => path((await open()).id, '/assistant'),
    () => ({ isOff: true }),
  ),
  'POST /api/conversations/{id}/assistant/summary': helped('/assistant/summary'),
  'POST /api/conversations/{id}/assistant/suggestion': helped('/assistant/suggestion'),
  'PATCH /api/conversations/{id}/priority': by(
    'PATCH',
    async () => path((await open()).id, '/priority'),
    () => ({ priority: 'high' }),
  ),
  'POST /api/conversations/{id}/transfer': by(
    'POST',
    async () => path(await assigned(chefe), '/transfer'),
    () => ({ newOperatorId: bruno.userId }),
  ),
  'POST /api/conversations/take-next': async () => {
    await open()
    return () => chefe.request('POST', '/api/conversations/take-next')
  },
  'PATCH /api/conversations/{id}/assign-operator (self)': by(
    'PATCH',
    async () => path((await open()).id, '/assign-operator'),
    () => ({ operatorId: chefe.userId }),
  ),
  'PATCH /api/conversations/{id}/assign-operator (other)': by(
    'PATCH',
    async () => path((await open()).id, '/assign-operator'),
    () => ({ operatorId: bruno.userId }),
  ),
  'POST /api/conversations/hand-over (queue)': async () => {
    await handOverAll()
    await assigned(chefe)
    return () => chefe.request('POST', '/api/conversations/hand-over', { to: null })
  },
  'POST /api/conversations/hand-over (other)': async () => {
    await handOverAll()
    await assigned(chefe)
    return () => chefe.request('POST', '/api/conversations/hand-over', { to: bruno.userId })
  },
  'POST /api/conversations/{id}/finalize': by(
    'POST',
    async () => path(await assigned(chefe), '/finalize'),
    () => ({}),
  ),
  'DELETE /api/conversations/{open}': by('DELETE', async () => path((await open()).id)),
  'DELETE /api/conversations/{archived}': by('DELETE', async () => path(await finished())),
  'POST /api/contacts/by-phone (new)': by(
    'POST',
    () => '/api/contacts/by-phone',
    () => ({ phone: `55119${String(20_000_000 + ++names)}`, name: 'Rita' }),
  ),
  'POST /api/contacts': by(
    'POST',
    () => '/api/contacts',
    () => ({ phone: `55319${String(20_000_000 + ++names)}`, name: 'Rita' }),
  ),
  'DELETE /api/contacts/{id}': by('DELETE', async () => `/api/contacts/${await contact()}`),
  'POST /api/contacts/{id}/restore': by('POST', async () => {
    const id = await contact()
    await chefe.request('DELETE', `/api/contacts/${id}`)
    return `/api/contacts/${id}/restore`
  }),
  'POST /api/contacts/{id}/block': by('POST', async () => `/api/contacts/${await contact()}/block`),
  'GET /api/contacts/{id}/personal-data': by(
    'GET',
    async () => `/api/contacts/${await contact()}/personal-data`,
  ),
  // What was recorded of the contact loses its values, which would be another row.
  'POST /api/contacts/{id}/anonymize': by(
    'POST',
    async () => `/api/contacts/${(await open()).contactId}/anonymize`,
  ),
  'POST /api/contacts/{id}/unblock': by('POST', async () => {
    const id = await contact()
    await chefe.request('POST', `/api/contacts/${id}/block`)
    return `/api/contacts/${id}/unblock`
  }),
  'POST /api/contacts/{id}/merge': by(
    'POST',
    async () => `/api/contacts/${await contact()}/merge`,
    async () => ({ otherId: await contact() }),
  ),
  'POST /api/contacts/merges/{id}/undo': by('POST', async () => {
    const [id, otherId] = [await contact(), await contact()]
    await chefe.request('POST', `/api/contacts/${id}/merge`, { otherId })
    const { body } = await chefe.request<{ id: number }[]>('GET', '/api/contacts/merges')
    return `/api/contacts/merges/${body[0]?.id}/undo`
  }),
  'POST /api/contacts/{id}/keep-apart': by(
    'POST',
    async () => `/api/contacts/${await contact()}/keep-apart`,
    async () => ({ otherId: await contact() }),
  ),
  'POST /api/contacts/imports/{id}/start (skip)': by('POST', onFile('read', 'start'), mapping('skip')),
  'POST /api/contacts/imports/{id}/start (update)': by('POST', onFile('read', 'start'), mapping('update')),
  'POST /api/contacts/imports/{id}/stop': by('POST', onFile('running', 'stop')),
  'POST /api/contacts/imports/{id}/continue (skip)': by('POST', onFile('stopped', 'continue')),
  'POST /api/contacts/imports/{id}/continue (update)': by('POST', onFile('stopped', 'continue')),
  'POST /api/contacts/imports/{id}/undo': by('POST', onFile('done', 'undo')),
  'GET /api/contacts/imports/{id}/errors/export': by('GET', onFile('done', 'errors/export')),
  'GET /api/contacts/export': by('GET', () => '/api/contacts/export?format=csv'),
  'PUT /api/contacts/{id}': by(
    'PUT',
    async () => `/api/contacts/${await contact()}`,
    () => ({ name: anyName('Rita') }),
  ),
  'POST /api/contacts/{id}/send-message': by(
    'POST',
    async () => `/api/contacts/${await contact()}/send-message`,
    () => ({ content: 'Bom dia' }),
  ),
  'POST /api/maintenance/backup': by('POST', () => '/api/maintenance/backup', newBackup),
  'DELETE /api/maintenance/backups/{id}': by('DELETE', onBackup('backups')),
  'GET /api/maintenance/download/{backupId}': by('GET', onBackup('download')),
  'POST /api/maintenance/restore/{backupId}/preview': by('POST', onBackup('restore', '/preview'), restored),
  'POST /api/maintenance/restore/{backupId}': by('POST', onBackup('restore'), restored),
  'POST /api/maintenance/runs/{runId}/stop': by('POST', async () => {
    await chefe.request('POST', '/api/maintenance/backup', newBackup())
    const { body } = await chefe.request<MaintenanceStats>('GET', '/api/maintenance/stats')
    return `/api/maintenance/runs/${body.runs.find(({ kind }) => kind === 'backup')?.id}/stop`
  }),
  'POST /api/maintenance/cleanup': by(
    'POST',
    () => '/api/maintenance/cleanup',
    () => ({ dateFrom: '2001-01-01', dateTo: '2001-01-31' }),
  ),
  'PUT /api/maintenance/plan': by(
    'PUT',
    () => '/api/maintenance/plan',
    async () => {
      const { body } = await chefe.request<MaintenancePlan>('GET', '/api/maintenance/plan')
      return { ...body, backupsKept: body.backupsKept + 1 }
    },
  ),
  'POST /api/companies': by(
    'POST',
    () => '/api/companies',
    () => ({ name: anyName('Padaria') }),
  ),
  'POST /api/contact-categories': by(
    'POST',
    () => '/api/contact-categories',
    () => ({ name: anyName('Varejo'), color: '#ca8a04' }),
  ),
  'PUT /api/contact-categories/{id}': by(
    'PUT',
    async () => `/api/contact-categories/${await category()}`,
    () => ({ name: anyName('Feira'), priority: 2 }),
  ),
  'DELETE /api/contact-categories/{id}': by(
    'DELETE',
    async () => `/api/contact-categories/${await category()}`,
  ),
  'PUT /api/companies/{id}': by(
    'PUT',
    async () => `/api/companies/${await company()}`,
    () => ({ name: anyName('Mercado'), isActive: false }),
  ),
  'POST /api/companies/{id}/merge': by(
    'POST',
    async () => `/api/companies/${await company()}/merge`,
    async () => ({ otherId: await company() }),
  ),
  'POST /api/companies/{id}/keep-apart': by(
    'POST',
    async () => `/api/companies/${await company()}/keep-apart`,
    async () => ({ otherId: await company() }),
  ),
  'DELETE /api/companies/{id}': by('DELETE', async () => `/api/companies/${await company()}`),
  'POST /api/users': by('POST', () => '/api/users', account),
  'PUT /api/users/{id}': by(
    'PUT',
    async () => `/api/users/${await newUser()}`,
    () => ({ role: 'supervisor' }),
  ),
  'DELETE /api/users/{other}': by('DELETE', async () => `/api/users/${await newUser()}`),
  'POST /api/users/{other}/toggle-block': by(
    'POST',
    async () => `/api/users/${await newUser()}/toggle-block`,
  ),
  'POST /api/user-permissions': by(
    'POST',
    () => '/api/user-permissions',
    async () => ({ userId: await newUser(), flags: { canDeleteConversations: true } }),
  ),
  'PUT /api/user-permissions/{userId}': by(
    'PUT',
    async () => `/api/user-permissions/${await newUser()}`,
    () => ({ canDeleteConversations: true }),
  ),
  'PATCH /api/system-settings': by(
    'PATCH',
    () => '/api/system-settings',
    () => ({ farewellMessage: anyName('Até logo') }),
  ),
  'PUT /api/media-settings': by(
    'PUT',
    () => '/api/media-settings',
    () => ({ blockedFileMessage: anyName('Não') }),
  ),
  'PUT /api/gpt-maker-config': by('PUT', () => '/api/gpt-maker-config', assistantForm),
  'POST /api/gpt-maker-config/test': by(
    'POST',
    () => '/api/gpt-maker-config/test',
    () => ({ what: 'agent', agentId: agent.agentId, apiToken: agent.token, question: '' }),
  ),
  'POST /api/evolution-config': by('POST', () => '/api/evolution-config', form),
  'PUT /api/evolution-config/{id}': by(
    'PUT',
    async () => `/api/evolution-config/${(await gateway()).id}`,
    async () => ({ ...(await form()), instanceName: (await gateway()).instanceName }),
  ),
  'PUT /api/evolution-config/{id}/settings': by(
    'PUT',
    async () => `/api/evolution-config/${(await gateway()).id}/settings`,
    () => ({ finalizationMessage: anyName('Até logo') }),
  ),
  'DELETE /api/evolution-config/{id}': by(
    'DELETE',
    async () => `/api/evolution-config/${await closedNumber()}`,
  ),
  'POST /api/evolution-config/test': by(
    'POST',
    () => '/api/evolution-config/test',
    () => ({ baseUrl: t.simulator.url, apiKey: t.simulator.apiKey }),
  ),
  'POST /api/evolution-config/setup-webhook': by('POST', () => '/api/evolution-config/setup-webhook'),
  'POST /api/evolution-config/{id}/connect': by(
    'POST',
    async () => `/api/evolution-config/${(await gateway()).id}/connect`,
    () => ({}),
  ),
  'POST /api/evolution-config/{id}/restart': by(
    'POST',
    async () => `/api/evolution-config/${(await gateway()).id}/restart`,
  ),
  'POST /api/evolution-config/{id}/logout': by(
    'POST',
    async () => `/api/evolution-config/${await closedNumber()}/logout`,
  ),
  'POST /api/evolution-config/{id}/webhook': by(
    'POST',
    async () => `/api/evolution-config/${(await gateway()).id}/webhook`,
  ),
  'POST /api/doctor': by('POST', async () => {
    // The first time it sets the webhooks of the numbers that have none, which is recorded apart.
    await chefe.request('POST', '/api/doctor')
    return '/api/doctor'
  }),
  'GET /api/reports/export': async () => () =>
    raw('/api/reports/export?startDate=2026-01-01&endDate=2026-01-31&part=operators&format=csv', chefe.token),
  'GET /api/audit-logs/export': async () => () => raw('/api/audit-logs/export', chefe.token),
}
const handOverAll = () => chefe.request('POST', '/api/conversations/hand-over', { to: null })

interface Left extends Record<string, unknown> {
  action: string
  userId: number | null
  outcome: string
  address: string | null
  device: string | null
}
const lastId = async () =>
  (await rows<{ id: number }>(t.database, sql`select coalesce(max(id), 0) as id from audit_logs`))[0]?.id ?? 0
const leftSince = (id: number) =>
  rows<Left>(
    t.database,
    sql`select l.action, l.user_id as "userId", l.outcome, p.values ->> 'address' as address,
               p.values ->> 'device' as device
          from audit_logs l left join audit_personal p on p.log_id = l.id
         where l.id > ${id} and l.origin is distinct from 'system' order by l.id`,
  )

describe('a successful call', () => {
  const recorded = declared.flatMap(({ id, audit }) =>
    typeof audit === 'string' ? [[id, audit] as const] : [],
  )

  test('is made here for every row that is recorded', () => {
    expect(Object.keys(acts).toSorted()).toEqual(recorded.map(([row]) => row).toSorted())
  })

  test.each(recorded)('of %s leaves one row: %s', async (row, action) => {
    const call = await acts[row]?.()
    const before = await lastId()
    const answer = await call?.()
    expect(answer?.status).toBeLessThan(300)
    expect(await leftSince(before)).toEqual([
      { action, userId: chefe.userId, outcome: 'done', address: '127.0.0.1', device: 'node' },
    ])
  })
})

const refusesNobody = new Set(['GET /api/system-settings', 'GET /api/user-permissions'])
/** Tested apart: what it takes depends on the conversation, which is not found by whoever may see none. */
const deletion = 'DELETE /api/conversations/:id'

describe('a refused call', () => {
  test('leaves one row, of whatever area it is', async () => {
    const nobody = await t.signIn('operator')
    const off = Object.fromEntries(flags.map((flag) => [flag, false]))
    await t.database.execute(
      sql`insert into user_permissions (user_id, flags)
           values (${nobody.userId}, ${JSON.stringify(off)}::jsonb)`,
    )
    let refused = 0
    for (const call of await allCalls()) {
      const guarded = declared.some(({ id, flags: asked }) => id in call.rows && asked.length > 0)
      const name = `${call.method} ${call.path}`
      if (!guarded || refusesNobody.has(name) || name === deletion) continue
      const valid = (schema: typeof call.body) =>
        (schema ? validValues(schema, 1, 20, [t.simulator.url])[0] : {}) as Record<string, string>
      const params = valid(call.params)
      const address = call.path.replace(/:(\w+)/g, (_all, key: string) => params[key] ?? '1')
      const query = new URLSearchParams(valid(call.query))
      const before = await lastId()
      const answer = await nobody.request(
        call.method,
        `${address}?${query.toString()}`,
        call.body && valid(call.body),
      )
      expect([name, answer.status]).toEqual([name, 403])
      const left = await leftSince(before)
      expect([name, left]).toEqual([
        name,
        [
          {
            action: 'access.denied',
            userId: nobody.userId,
            outcome: 'refused',
            address: '127.0.0.1',
            device: 'node',
          },
        ],
      ])
      refused++
    }
    expect(refused).toBeGreaterThan(50)
  })

  test('that is repeated is counted in its row', async () => {
    const ana = await t.signIn('operator')
    const before = await lastId()
    for (let round = 0; round < 5; round++)
      await Promise.all(Array.from({ length: 10 }, () => ana.request('GET', '/api/users')))
    expect(await leftSince(before)).toHaveLength(1)
    const [row] = await rows(
      t.database,
      sql`select repeats, details from audit_logs where user_id = ${ana.userId} and action = 'access.denied'`,
    )
    expect(row).toEqual({ repeats: 50, details: { call: 'GET /api/users', reason: 'auth.forbidden' } })
  })

  test('whose permission depends on the conversation leaves one row too', async () => {
    const id = await finished()
    const before = await lastId()
    expect((await bruno.request('DELETE', path(id))).status).toBe(403)
    expect(await leftSince(before)).toMatchObject([{ action: 'access.denied', userId: bruno.userId }])
  })

  test.each([
    ['DELETE', () => `/api/users/${chefe.userId}`],
    ['POST', () => `/api/users/${chefe.userId}/toggle-block`],
  ])('of oneself, %s, leaves one row too', async (method, address) => {
    const before = await lastId()
    expect((await chefe.request(method, address())).status).toBe(403)
    expect(await leftSince(before)).toMatchObject([{ action: 'access.denied', userId: chefe.userId }])
  })
})

test('reading an own finished conversation, or an open one, leaves nothing', async () => {
  const own = await finished()
  const other = (await open()).id
  const before = await lastId()
  expect((await bruno.request<Conversation>('GET', path(own))).status).toBe(200)
  expect((await bruno.request('GET', path(own, '/messages'))).status).toBe(200)
  expect((await bruno.request('GET', path(other))).status).toBe(200)
  expect((await bruno.request('GET', path(other, '/messages'))).status).toBe(200)
  expect(await leftSince(before)).toEqual([])
})

test('opening somebody else’s finished conversation is one row, however many calls it takes', async () => {
  const id = await finished()
  const before = await lastId()
  await Promise.all(['', '/messages', '/media'].map((rest) => chefe.request('GET', path(id, rest))))
  expect(await leftSince(before)).toMatchObject([{ action: 'conversation.read', userId: chefe.userId }])
})

test('what a person gives to colleagues or takes from them names who had it', async () => {
  const id = await assigned(bruno)
  const company = await chefe.request<CompanyOption>('POST', '/api/companies', { name: anyName('Loja') })
  expect(company.status).toBe(201)
  await chefe.request('POST', path(id, '/transfer'), { newOperatorId: chefe.userId })
  const [row] = await rows(
    t.database,
    sql`select details from audit_logs
         where action = 'conversation.transfer' and resource_id = ${String(id)}`,
  )
  expect(row).toEqual({ details: { to: chefe.userId, from: bruno.userId } })
})
