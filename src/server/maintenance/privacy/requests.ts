import { desc, eq, sql } from 'drizzle-orm'
import type { PrivacyRequest } from '#shared/maintenance/privacy.ts'
import type { Db } from '#server/platform/database/db.ts'
import { contacts } from '#server/schema/contacts/contacts.ts'
import { privacyRequests } from '#server/schema/privacy.ts'
import { users } from '#server/schema/users.ts'

/** Lists a page of the register of requests, newest first. */
export async function listRequests(db: Db, { page, limit }: { page: number; limit: number }) {
  const [found, total] = await Promise.all([
    db
      .select({
        id: privacyRequests.id,
        kind: privacyRequests.kind,
        contactId: privacyRequests.contactId,
        contactName: contacts.name,
        isContactShown: sql<boolean>`${contacts.deletedAt} is null`,
        userName: users.name,
        createdAt: privacyRequests.createdAt,
        proof: privacyRequests.proof,
      })
      .from(privacyRequests)
      .innerJoin(contacts, eq(contacts.id, privacyRequests.contactId))
      .innerJoin(users, eq(users.id, privacyRequests.userId))
      .orderBy(desc(privacyRequests.createdAt), desc(privacyRequests.id))
      .limit(limit)
      .offset((page - 1) * limit),
    db.$count(privacyRequests),
  ])
  const requests = found.map((row): PrivacyRequest => ({ ...row, createdAt: row.createdAt.toISOString() }))
  return {
    requests,
    pagination: { page, limit, total, totalPages: Math.max(1, Math.ceil(total / limit)) },
  }
}
