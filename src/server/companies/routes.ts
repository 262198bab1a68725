import { createCompany, listCompanies } from '#shared/companies.ts'
import { AppError } from '#shared/errors.ts'
import { record } from '#server/audit/audit.ts'
import { type Database, inTransaction, lockName } from '#server/platform/database/db.ts'
import { confirmRights } from '#server/platform/http/access.ts'
import type { Http } from '#server/platform/http/http.ts'
import {
  countCompanies,
  insertCompany,
  isNameTaken,
  listCompanyOptions,
  listCompanyPage,
  listOptionPage,
} from './queries.ts'

const ofList = 'GET /api/companies (list)'
const ofPicker = 'GET /api/companies (picker)'

export function companyRoutes({ route }: Http, { database }: { database: Database }): void {
  route(
    listCompanies,
    {
      [ofList]: [['canViewContacts', 'canViewConversations', 'canViewCompanies']],
      [ofPicker]: [['canViewContacts', 'canViewConversations']],
    },
    async ({ query: { page, limit = 10, search = '' }, who, permit }) => {
      if (page === undefined) {
        permit(ofPicker)
        return listCompanyOptions(database)
      }
      permit(ofList)
      const withFacts = who.flags.canViewCompanies
      const asked = { limit, offset: (page - 1) * limit, search }
      const [total, companies] = await Promise.all([
        countCompanies(database, search, withFacts),
        withFacts ? facts(asked) : listOptionPage(database, asked),
      ])
      return { companies, pagination: { page, limit, total, totalPages: Math.ceil(total / limit) } }
    },
  )

  const facts = async (asked: Parameters<typeof listCompanyPage>[1]) =>
    (await listCompanyPage(database, asked)).map((row) => ({
      ...row,
      lastContactAt: row.lastContactAt?.toISOString() ?? null,
    }))

  route(createCompany, ['canCreateCompanies'], ({ body, who }) =>
    inTransaction(database, async (db) => {
      // Of two parallel requests the second finds the company of the first.
      await lockName(db, `company:${body.name.toLowerCase()}`)
      await confirmRights(who, db)
      if (await isNameTaken(db, body.name)) throw new AppError('companies.duplicate')
      const { name, phone, responsibleName, isActive = true } = body
      const made = await insertCompany(db, {
        name,
        phone: phone || null,
        responsibleName: responsibleName || null,
        isActive,
      })
      await record(db, who, { action: 'company.create', resourceId: made.id, details: { name } })
      return made
    }),
  )
}
