import { createCompany, listCompanies } from '#shared/companies.ts'
import { type Database, inTransaction } from '#server/platform/database/db.ts'
import type { Http } from '#server/platform/http/http.ts'
import { addCompany } from './change.ts'
import { countCompanies, listCompanyOptions, listCompanyPage, listOptionPage } from './queries.ts'

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
      updatedAt: row.updatedAt.toISOString(),
    }))

  route(createCompany, ['canCreateCompanies'], ({ body, who }) =>
    inTransaction(database, (db) => addCompany(db, who, body)),
  )
}
