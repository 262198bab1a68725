import { Readable } from 'node:stream'
import { create as dispositionOf } from 'content-disposition'
import {
  exportArchived,
  getArchived,
  listArchived,
  listArchivedMessages,
  searchArchived,
  searchConversations,
} from '#shared/conversations/archive.ts'
import type { Database } from '#server/platform/database/db.ts'
import type { FileStore } from '#server/platform/file-store.ts'
import type { Http } from '#server/platform/http/http.ts'
import { getSettings } from '#server/settings/settings.ts'
import { pageOf, textOf } from '#server/conversations/archive/conversation-file.ts'
import { listArchive } from '#server/conversations/archive/archive.ts'
import { searchAll } from '#server/conversations/archive/search-all.ts'
import {
  archivedDetailFor,
  archivedForExport,
  archivedHits,
  archivedMessages,
} from '#server/conversations/archive/archived-detail.ts'

const ownList = 'GET /api/conversations/archived (own)'
const ownSearch = 'GET /api/conversations/search (own)'
const own = 'GET /api/conversations/archived/{own}'
const ownExport = 'GET /api/conversations/archived/{own}/export'
const ownHits = 'GET /api/conversations/archived/{own}/search'
const ownMessages = 'GET /api/conversations/archived/{own}/messages'

export function archiveRoutes(
  { routeByRow }: Http,
  { database, files }: { database: Database; files: FileStore },
): void {
  routeByRow(listArchived, ({ query, who, permit }) => {
    permit(ownList)
    const { page = 1, limit = 10, search = '', order = 'recent', asOf, ...filter } = query
    const asked = { page, limit, search, order, asOf: asOf === undefined ? undefined : new Date(asOf) }
    return listArchive(database, who, { ...asked, ...filter })
  })

  routeByRow(searchConversations, ({ query: { search, limit = 8 }, who, permit }) => {
    permit(ownSearch)
    return searchAll(database, who, { search, limit })
  })

  routeByRow(getArchived, ({ params, who, permit }) => {
    permit(own)
    return archivedDetailFor(database, who, params.id)
  })

  routeByRow(listArchivedMessages, ({ params, query, who, permit }) => {
    permit(ownMessages)
    const { page = 1, limit = 20, messageId } = query
    return archivedMessages(database, who, params.id, { page, limit, messageId })
  })

  routeByRow(searchArchived, ({ params, query, who, permit }) => {
    permit(ownHits)
    return archivedHits(database, who, params.id, query.search)
  })

  routeByRow(exportArchived, async ({ params, query: { format, notes }, who, permit, reply }) => {
    permit(ownExport)
    const told = await archivedForExport(database, who, params.id, { format, withNotes: notes === 'with' })
    const { timezone } = await getSettings(database)
    const source = { db: database, files, who, timezone, ...told }
    const isPage = format === 'html'
    const name = `conversa-${told.conversation.protocol}.${isPage ? 'html' : 'txt'}`
    const content = Readable.from(isPage ? pageOf(source) : textOf(source))
    return () =>
      reply
        .type(isPage ? 'text/html; charset=utf-8' : 'text/plain; charset=utf-8')
        .header('content-disposition', dispositionOf(name, { type: 'attachment' }))
        .header('cache-control', 'no-store')
        .send(content)
  })
}
