import {
  type Company,
  createCompany,
  keepCompaniesApart as apartCall,
  listCompanies,
  listDuplicateCompanies,
} from '#shared/contacts/companies.ts'
import { type Database, inTransaction } from '#server/platform/database/db.ts'
import type { Who } from '#server/platform/http/access.ts'
import type { Http } from '#server/platform/http/http.ts'
import { addCompany } from './change.ts'
import { keepCompaniesApart, listDuplicatePairs } from './merge.ts'
import {
  countCompanies,
  listCompaniesById,
  listCompanyOptions,
  listCompanyPage,
  listOptionPage,
} from './queries.ts'

const ofList = 'GET /api/companies (list)'
const ofPicker = 'GET /api/companies (picker)'

export function routes({ route, routeByRow }: Http, { database }: { database: Database }): void {
  routeByRow(listCompanies, async ({ query: { page, limit = 10, search = '' }, who, permit }) => {
    if (page === undefined) {
      permit(ofPicker)
      return listCompanyOptions(database)
    }
    permit(ofList)
    const withFacts = who.flags.canViewCompanies
    const asked = { limit, offset: (page - 1) * limit, search }
    const [total, companies] = await Promise.all([
      countCompanies(database, who, search, withFacts),
      withFacts ? facts(who, asked) : listOptionPage(database, who, asked),
    ])
    return { companies, pagination: { page, limit, total, totalPages: Math.ceil(total / limit) } }
  })

  const facts = async (who: Who, asked: Parameters<typeof listCompanyPage>[2]) =>
    (await listCompanyPage(database, who, asked)).map(toCompany)

  route(listDuplicateCompanies, async ({ who }) => {
    const pairs = await listDuplicatePairs(database)
    if (pairs.length === 0) return []
    const found = await listCompaniesById(
      database,
      who,
      pairs.flatMap(({ a, b }) => [a, b]),
    )
    const byId = new Map(found.map((row) => [row.id, toCompany(row)]))
    return pairs.flatMap(({ a, b }): [Company, Company][] => {
      const [one, other] = [byId.get(a), byId.get(b)]
      return one && other ? [[one, other]] : []
    })
  })

  route(apartCall, async ({ params, body, who }) => {
    await inTransaction(database, (db) => keepCompaniesApart(db, who, params.id, body.otherId))
    return undefined
  })

  route(createCompany, ({ body, who }) => inTransaction(database, (db) => addCompany(db, who, body)))
}

const toCompany = (row: Awaited<ReturnType<typeof listCompanyPage>>[number]) => ({
  ...row,
  lastContactAt: row.lastContactAt?.toISOString() ?? null,
  updatedAt: row.updatedAt.toISOString(),
})
