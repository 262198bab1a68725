import { getContact, listCategories } from '#shared/contacts.ts'
import { AppError } from '#shared/errors.ts'
import type { Database } from '#server/platform/db.ts'
import type { Http } from '#server/platform/http.ts'
import { toCard } from './card.ts'
import { findContactRow, listCategoryRows } from './queries.ts'

export function contactRoutes({ route }: Http, { database }: { database: Database }): void {
  route(getContact, [['canViewContacts', 'canViewConversations']], async ({ params }) => {
    const row = await findContactRow(database, params.id)
    if (!row) throw new AppError('request.not_found', 404)
    const { email, tags, notes, createdAt } = row
    return { ...toCard(row), email, tags, notes, createdAt: createdAt.toISOString() }
  })

  route(listCategories, [['canViewContacts', 'canViewConversations']], () =>
    listCategoryRows(database).execute(),
  )
}
