import { sql } from 'drizzle-orm'
import { rows } from '#server/platform/database/db.ts'
import { type MakeThings, ofRow } from '../references/thing.ts'
import { type Acts, administratorOf, onTalk } from '../walk/writing.ts'
import type { Caller } from '../access/world/people.ts'
import type { World } from '../access/world/world.ts'
import { changing, type Recipes } from '../access/recipe.ts'
import { always, each, numbered, once, plain } from '../access/targets.ts'

const everybody = ['admin', 'supervisor', 'operator'] as const

/** Whether a page of companies has more than their names. */
const hasFacts = (body: unknown) => JSON.stringify(body).includes('"responsibleName"')

/** The calls about companies. */
export const recipes = {
  'GET /api/companies (list)': [
    { what: 'a page', status: 200, targets: always('/api/companies?page=1') },
    {
      // D10: more than name and state only with this flag.
      what: 'what is known of them',
      status: 200,
      needs: { ceiling: [...everybody], flags: [['canViewCompanies']] },
      part: hasFacts,
      targets: once(async ({ database }) => {
        await database.execute(
          sql`insert into companies (name, responsible_name) select 'Empresa da prova', 'Dona Rosa'
               where not exists (select from companies where name = 'Empresa da prova')`,
        )
        return { path: '/api/companies?page=1' }
      }),
    },
  ],
  'GET /api/companies (picker)': plain('all'),
  'POST /api/companies': changing(
    { what: 'a new name', status: 201, targets: numbered((n) => ({ body: { name: `Empresa ${n}` } })) },
    '+audit_logs +companies',
  ),
  'PUT /api/companies/{id}': changing(
    {
      what: 'a company',
      status: 200,
      targets: each(makeCompanies, (id, _caller, world) => ({
        id,
        body: { name: `Outra empresa ${world.next()}`, phone: '1133334444' },
      })),
    },
    '+audit_logs companies.is_active companies.name companies.phone companies.responsible_name',
    'companies.updated_at',
  ),
  'GET /api/companies/duplicates': plain('all'),
  'POST /api/companies/{id}/merge': changing(
    {
      what: 'two companies',
      status: 200,
      targets: each(companyPairs, ([id, otherId]) => ({ id, body: { otherId } })),
    },
    '+audit_logs -companies companies.updated_at',
  ),
  'POST /api/companies/{id}/keep-apart': changing(
    {
      what: 'two companies',
      status: 204,
      targets: each(companyPairs, ([id, otherId]) => ({ id, body: { otherId } })),
    },
    '+audit_logs +company_distinctions',
  ),
  'DELETE /api/companies/{id}': changing(
    { what: 'a company', status: 204, targets: each(makeCompanies, (id) => id) },
    '+audit_logs -companies',
  ),
} satisfies Recipes

/** A company for each caller. @returns their ids */
async function makeCompanies(world: World, callers: readonly Caller[]): Promise<number[]> {
  const made = await rows<{ id: number }>(
    world.database,
    sql`insert into companies (name)
        select 'Empresa ' || n from unnest(${sql.param(callers.map(() => world.next()))}::int[]) n
        returning id`,
  )
  return made.map(({ id }) => id)
}

/** Two companies for each caller. */
async function companyPairs(world: World, callers: readonly Caller[]): Promise<[number, number][]> {
  const [some, others] = [await makeCompanies(world, callers), await makeCompanies(world, callers)]
  return some.map((id, n) => [id, others[n] ?? 0])
}

export const acts = {
  'a company gets a contact, another name, or goes': [
    3,
    onTalk(async (world, { id }) => {
      const admin = administratorOf(world)
      await world.database.execute(
        sql`insert into companies (name) select 'Empresa' where not exists (select from companies)`,
      )
      const [found] = await rows<{ companyId: number; contactId: number }>(
        world.database,
        sql`select c.id as "companyId", v.contact_id as "contactId" from companies c, conversations v
             where v.id = ${id}`,
      )
      if (!found) return
      const { companyId, contactId } = found
      const address = `/api/companies/${companyId}`
      const dice = world.random()
      if (dice < 0.6) await world.request(admin, 'PUT', `/api/contacts/${contactId}`, { companyId })
      else if (dice < 0.9) await world.request(admin, 'PUT', address, { name: `Empresa ${++world.count}` })
      else await world.request(admin, 'DELETE', address)
    }),
  ],
} satisfies Acts

export const things = {
  company: ofRow(() => sql`insert into companies (name) values ('Alheia') returning id`),
} satisfies MakeThings
