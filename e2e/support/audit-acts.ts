import type { Colleague } from './colleague.ts'
import type { Phones } from './phones.ts'

let made = 0

/** Leaves rows of many kinds in the audit log. @returns whom they are about; the account is deleted again */
export async function actForAudit(
  url: string,
  phones: Phones,
  { admin, bruno }: { admin: Colleague; bruno: Colleague },
): Promise<{ id: number; name: string; typed: string; client: string }> {
  const mark = `${++made}-${Date.now() % 1_000_000}`
  const name = `Tadeu ${mark}`
  const account = { name, username: `tadeu-${mark}`, email: `tadeu-${mark}@teste.example` }
  const { id } = await admin.call<{ id: number }>('POST', '/api/users', {
    ...account,
    password: 'alface-roxa-crespa',
    role: 'operator',
  })
  await admin.call('PUT', `/api/user-permissions/${id}`, {
    canCreateConversations: true,
    canViewArchivedConversations: true,
    canBlockContacts: true,
    canEditContacts: false,
  })
  await admin.call('PUT', `/api/users/${id}`, { role: 'supervisor' })
  const client = `Cliente da Auditoria ${mark}`
  const phone = await phones.create(client)
  await phones.write(phone.id, 'bom dia')
  const conversation = await bruno.conversationWith(phone)
  const path = `/api/conversations/${conversation.id}`
  await bruno.call('PATCH', `${path}/assign-operator`, { operatorId: bruno.id })
  await bruno.call('POST', `${path}/finalize`, {})
  await admin.call('GET', `${path}/messages`)
  await admin.call('PATCH', '/api/system-settings', {
    lgpdMessage: `Seus dados são só para o atendimento ${mark}.`,
  })
  // Refused, which a colleague's call takes for a fault.
  await bruno.call('GET', '/api/users').catch(() => undefined)
  const typed = `ninguem-${mark}`
  await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: typed, password: 'errada' }),
  })
  await admin.call('DELETE', `/api/users/${id}`)
  return { id, name, typed, client }
}
