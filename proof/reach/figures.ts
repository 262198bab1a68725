import { isCompleted, knows, reads } from './law.ts'
import { byPages, idsOf, type Lists, type Row } from './listing.ts'
import { type Reader, readers } from './people.ts'
import type { Talk } from './talks.ts'
import { homeOf, type ReachWorld } from './world.ts'

// The page of a contact, the dashboard, the reports and the audit log.

export async function contactLists(lists: Lists, at: ReachWorld, n: number): Promise<void> {
  const reader = readers[n] as Reader
  const { contactId, talks } = at.regular
  const read = talks.filter((talk) => reads(reader, n, talk))
  const contact = `/api/contacts/${contactId}`
  const history = (await lists.get<Row[]>(`${contact}/conversations`)) ?? []
  lists.ids('a contact, its conversations', idsOf(history), read)
  const ratings = (await lists.get<{ conversationId: number }[]>(`${contact}/ratings`)) ?? []
  lists.ids(
    'a contact, its ratings',
    ratings.map(({ conversationId }) => conversationId),
    read.filter((talk) => isCompleted(talk)),
  )
  if (lists.has('canDownloadMedia')) {
    const media = (await lists.get<{ conversationId: number }[]>(`${contact}/media`)) ?? []
    lists.ids(
      'a contact, its files',
      media.map(({ conversationId }) => conversationId),
      read,
    )
  }
  // Nobody pages by what they do not see: as by an id of nothing.
  const hidden = talks.find((talk) => !reads(reader, n, talk))
  if (!hidden) return
  for (const [part, before] of [
    ['conversations', hidden.id],
    ['media', hidden.pictureId],
  ] as const) {
    if (part === 'media' && !lists.has('canDownloadMedia')) continue
    const by = (id: number) => lists.text(`${contact}/${part}?before=${id}`)
    lists.same(`a contact, its ${part} before one out of reach`, await by(before), await by(2_000_000_000))
  }
}

export async function counts(lists: Lists, at: ReachWorld, talks: readonly Talk[], n: number): Promise<void> {
  const reader = readers[n] as Reader
  const open = talks.filter((talk) => !isCompleted(talk))
  const known = open.filter((talk) => knows(reader, n, talk) !== 'none')
  if (lists.has('canViewDashboard')) {
    const stats = await lists.get<{ waiting: number; inProgress: number }>('/api/stats')
    const queued = known.filter(({ state }) => state === 'in the queue').length
    // As many as the list shows that the dashboard leads to.
    lists.same('/api/stats', [stats?.waiting, stats?.inProgress], [queued, known.length - queued])
  }
  // Of completed conversations others are found by a flag; reports count them without it.
  const counted = talks.filter((talk) => knows(reader, n, talk) === 'whole')
  const days = at.days
  if (lists.has('canViewStatistics') && reader.role !== 'operator') {
    const stats = await lists.get<{ total: number; completed: number }>(`/api/reports/stats?${days}`)
    const completed = counted.filter((talk) => isCompleted(talk)).length
    lists.same('/api/reports/stats', [stats?.total, stats?.completed], [counted.length, completed])
    interface Groups {
      groups: { total: number }[]
    }
    const groups = await lists.get<Groups>(`/api/reports/groups?${days}&by=sector`)
    const sum = (groups?.groups ?? []).reduce((all, { total }) => all + total, 0)
    lists.same('/api/reports/groups', sum, counted.length)
    if (lists.has('canViewConversations')) {
      interface Page {
        conversations: Row[]
      }
      const rows = await byPages(
        (page) => lists.get<Page>(`/api/reports/conversations?${days}&limit=100&page=${page}`),
        ({ conversations }) => conversations,
      )
      lists.ids('/api/reports/conversations', idsOf(rows), counted)
      const file = (await lists.text(`/api/reports/export?${days}&part=rows&format=csv`)) ?? ''
      const byProtocol = new Map(
        at.all.map((talk) => [`20200101${String(talk.id).padStart(6, '0')}`, talk.id]),
      )
      const found = [...file.matchAll(/20200101\d{6}/g)].flatMap(
        ([protocol]) => byProtocol.get(protocol) ?? [],
      )
      lists.ids('/api/reports/export', found, counted)
    }
  }
  if (lists.has('canViewAuditLogs') && reader.role !== 'operator') {
    interface Page {
      rows: { resource: { id: string } }[]
    }
    const rows: Page['rows'] = []
    for (let page = 1; ; page++) {
      const found = await lists.get<Page>(
        `/api/audit-logs?userId=${at.world.colleague.userId}&resourceType=conversation&limit=100&page=${page}`,
      )
      rows.push(...(found?.rows ?? []))
      if ((found?.rows.length ?? 0) < 100) break
    }
    lists.ids(
      '/api/audit-logs',
      rows.map(({ resource }) => Number(resource.id)),
      at.audited.filter((talk) => knows(reader, n, talk) === 'whole'),
    )
  }
}

/** Where one writes to a client: their open conversation only for whoever reads it. */
export async function starts(lists: Lists, at: ReachWorld, n: number): Promise<void> {
  const reader = readers[n] as Reader
  const { world } = at
  const mayBegin = lists.has('canViewContacts') && lists.has('canCreateConversations')
  const shared = at.talks.filter(({ owner }) => owner === undefined)
  for (const talk of [...shared.filter((one) => !isCompleted(one)), homeOf(at, n)]) {
    // Another conversation of this client is in the way of a plain answer.
    if (talk.contactId === at.regular.contactId) continue
    const answer = await world.send(n, {
      method: 'POST',
      path: `/api/contacts/${talk.contactId}/start-conversation`,
      token: world.callers[n]?.token,
    })
    const isRead = reads(reader, n, talk)
    const { conversationId = null } =
      answer.status === 200 ? (JSON.parse(answer.text) as { conversationId: number | null }) : {}
    const status = isRead || mayBegin ? 200 : 403
    lists.same('start-conversation', [answer.status, conversationId], [status, isRead ? talk.id : null])
  }
}

/** Of a company only the clients of whose conversations one knows. */
export async function companyFigures(lists: Lists, at: ReachWorld, n: number): Promise<void> {
  const reader = readers[n] as Reader
  if (!lists.has('canViewCompanies')) return
  interface Page {
    companies: { contactCount?: number; lastContactAt?: string | null }[]
  }
  const found = await lists.get<Page>('/api/companies?page=1&search=Empresa de prova'.replaceAll(' ', '%20'))
  const known = at.all.filter((talk) => knows(reader, n, talk) === 'whole')
  const isLate = known.some(({ owner, sector }) => owner === undefined && sector === 'B')
  const { contactCount, lastContactAt } = found?.companies[0] ?? {}
  const ageMs = Date.now() - Date.parse(lastContactAt ?? '')
  const clients = new Set(known.map(({ contactId }) => contactId)).size
  lists.same('/api/companies', [contactCount, ageMs < 36 * 3_600_000], [clients, isLate])
}

/** What an administrator is told of the scopes that somebody may have. */
export async function scopeFigures(lists: Lists, at: ReachWorld, n: number): Promise<void> {
  const reader = readers[n] as Reader
  const { world } = at
  const admin = readers.findIndex(({ role }) => role === 'admin')
  if (reader.role === 'admin') return
  const path = `/api/user-permissions/${world.callers[n]?.userId}/scope`
  const { text } = await world.send(n, { method: 'GET', path, token: world.callers[admin]?.token })
  const { open } = JSON.parse(text) as { open: Record<string, number> }
  const talks = at.all.filter((talk) => !isCompleted(talk))
  // The scope itself, also where role or lead admit no less than the next one.
  const membership = reader.membership === 'lead of A' ? 'A' : reader.membership
  const withScope = (scope: Reader['scope']): Reader => ({
    ...reader,
    role: 'operator',
    scope,
    ...(scope === 'own' && { membership }),
  })
  const count = (scope: Reader['scope'], what: 'whole' | 'card') =>
    talks.filter((talk) => knows(withScope(scope), n, talk) === what).length
  const wanted = [
    count('own', 'whole'),
    count('sector', 'whole'),
    count('all', 'whole'),
    count('own', 'card'),
  ]
  lists.same('scope', [open['own'], open['sector'], open['all'], open['cards']], wanted)
}
