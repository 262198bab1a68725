import { type SQL, sql } from 'drizzle-orm'
import { rows } from '#server/platform/database/db.ts'
import { flagsOf } from '../law/expected.ts'
import { makeFiles } from '../world/messages.ts'
import type { Caller } from '../world/people.ts'
import type { World } from '../world/world.ts'
import type { Recipes } from '../recipe.ts'
import { always, each, once, oneTalk, talks } from './targets.ts'

const everybody = ['admin', 'supervisor', 'operator'] as const

/** Whether a page of companies has more than their names. */
const hasFacts = (body: unknown) => JSON.stringify(body).includes('"responsibleName"')

/** The calls about contacts and companies. */
export const contactRecipes: Recipes = {
  'GET /api/contacts': [{ what: 'a page', status: 200, targets: always('/api/contacts?page=1') }],
  'GET /api/contacts/tags': [{ what: 'all', status: 200, targets: always('/api/contacts/tags') }],
  'POST /api/contacts': [
    {
      what: 'a number of nobody',
      status: 201,
      targets: each(
        async (world, callers) => callers.map(() => String(world.next()).padStart(8, '0')),
        (number) => ({ path: '/api/contacts', body: { phone: `55319${number}`, name: 'Nova', email: '' } }),
      ),
    },
  ],
  'GET /api/contacts/{id}': [
    {
      what: 'a contact',
      status: 200,
      targets: once(async (world) => ({
        path: `/api/contacts/${(await oneTalk(world, 'colleague', true)).contactId}`,
      })),
    },
  ],
  'POST /api/contacts/by-phone (known)': [
    {
      what: 'a number of somebody',
      status: 200,
      targets: once(async (world) => ({
        path: '/api/contacts/by-phone',
        body: { phone: (await oneTalk(world, 'colleague', true)).phone, name: '' },
      })),
    },
  ],
  'POST /api/contacts/by-phone (new)': [
    {
      what: 'a number of nobody',
      status: 200,
      targets: each(
        async (world, callers) => callers.map(() => String(world.next()).padStart(8, '0')),
        (number) => ({ path: '/api/contacts/by-phone', body: { phone: `55219${number}`, name: 'Nova' } }),
      ),
    },
  ],
  'PUT /api/contacts/{id}': [
    {
      what: 'a contact',
      status: 200,
      targets: each(talks('colleague', true), ({ contactId }) => ({
        path: `/api/contacts/${contactId}`,
        body: { name: 'Outro nome', notes: 'Prefere a tarde' },
      })),
    },
  ],
  'DELETE /api/contacts/{id}': [
    {
      what: 'a contact without an open conversation',
      status: 204,
      targets: each(talks('colleague', true), ({ contactId }) => ({ path: `/api/contacts/${contactId}` })),
    },
    {
      what: 'a contact with an open conversation',
      status: 409,
      targets: each(talks('colleague'), ({ contactId }) => ({ path: `/api/contacts/${contactId}` })),
    },
  ],
  'POST /api/contacts/{id}/restore': [
    {
      what: 'a contact that was just deleted',
      status: 200,
      targets: each(deletedContacts, (id) => ({ path: `/api/contacts/${id}/restore` })),
    },
  ],
  'POST /api/contacts/{id}/block': [
    {
      what: 'a contact with an open conversation',
      status: 200,
      targets: each(talks('colleague'), ({ contactId }) => ({ path: `/api/contacts/${contactId}/block` })),
    },
  ],
  'POST /api/contacts/{id}/unblock': [
    {
      what: 'a blocked contact',
      status: 200,
      targets: each(blockedContacts, (id) => ({ path: `/api/contacts/${id}/unblock` })),
    },
  ],
  'GET /api/contacts/{id}/avatar': [
    {
      what: 'a contact with a picture',
      status: 200,
      targets: once(async (world) => {
        const { contactId } = await oneTalk(world, 'colleague', true)
        const [name] = await makeFiles(world, [{ contactId }])
        await world.database.execute(
          sql`update contacts set avatar_url = '/api/contacts/' || id || '/avatar?v=' || ${name}::text
               where id = ${contactId}`,
        )
        return { path: `/api/contacts/${contactId}/avatar` }
      }),
    },
  ],
  'GET /api/contacts/{id}/media': [
    {
      what: 'a contact',
      status: 200,
      targets: once(async (world) => ({
        path: `/api/contacts/${(await oneTalk(world, 'colleague')).contactId}/media`,
      })),
    },
  ],
  'GET /api/contacts/{id}/ratings': [
    {
      what: 'a contact',
      status: 200,
      targets: once(async (world) => ({
        path: `/api/contacts/${(await oneTalk(world, 'colleague')).contactId}/ratings`,
      })),
    },
  ],
  'GET /api/contacts/{id}/conversations': [
    {
      what: 'a contact',
      status: 200,
      targets: once(async (world) => ({
        path: `/api/contacts/${(await oneTalk(world, 'colleague')).contactId}/conversations`,
      })),
    },
  ],
  'POST /api/contacts/{id}/start-conversation (existing)': [
    {
      what: 'a contact with an open conversation',
      status: 200,
      targets: once(async (world) => ({
        path: `/api/contacts/${(await oneTalk(world, 'colleague')).contactId}/start-conversation`,
      })),
    },
  ],
  'POST /api/contacts/{id}/start-conversation (new)': [
    {
      what: 'a contact without an open conversation',
      status: 200,
      targets: once(async (world) => ({
        path: `/api/contacts/${(await oneTalk(world, 'colleague', true)).contactId}/start-conversation`,
      })),
    },
  ],
  'POST /api/contacts/{id}/send-message': [
    {
      what: 'a contact without an open conversation',
      status: 201,
      targets: each(talks('colleague', true), ({ contactId }) => ({
        path: `/api/contacts/${contactId}/send-message`,
        body: { content: 'Bom dia' },
      })),
    },
    {
      // Nobody writes into a conversation that he may not see.
      what: 'a contact with an open conversation',
      status: (person) => (flagsOf(person).has('canViewConversations') ? 201 : 403),
      targets: each(talks('colleague'), ({ contactId }) => ({
        path: `/api/contacts/${contactId}/send-message`,
        body: { content: 'Bom dia' },
      })),
    },
  ],
  'GET /api/contact-categories/managed': [
    { what: 'all', status: 200, targets: always('/api/contact-categories/managed') },
  ],
  'POST /api/contact-categories': [
    {
      what: 'a new name',
      status: 201,
      targets: each(
        async (world, callers) => callers.map(() => world.next()),
        (n) => ({ path: '/api/contact-categories', body: { name: `Categoria nova ${n}`, color: '#2563eb' } }),
      ),
    },
  ],
  'PUT /api/contact-categories/{id}': [
    {
      what: 'a category',
      status: 204,
      targets: each(makeCategories, (id, _caller, world) => ({
        path: `/api/contact-categories/${id}`,
        body: { name: `Outra categoria ${world.next()}`, color: '#dc2626', priority: 3 },
      })),
    },
  ],
  'DELETE /api/contact-categories/{id}': [
    {
      what: 'a category',
      status: 204,
      targets: each(makeCategories, (id) => ({ path: `/api/contact-categories/${id}` })),
    },
  ],
  'GET /api/contact-categories': [{ what: 'all', status: 200, targets: always('/api/contact-categories') }],
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
  'GET /api/companies (picker)': [{ what: 'all', status: 200, targets: always('/api/companies') }],
  'POST /api/companies': [
    {
      what: 'a new name',
      status: 201,
      targets: each(
        async (world, callers) => callers.map(() => `Empresa ${world.next()}`),
        (name) => ({ path: '/api/companies', body: { name } }),
      ),
    },
  ],
  'PUT /api/companies/{id}': [
    {
      what: 'a company',
      status: 200,
      targets: each(makeCompanies, (id, _caller, world) => ({
        path: `/api/companies/${id}`,
        body: { name: `Outra empresa ${world.next()}`, phone: '1133334444' },
      })),
    },
  ],
  'DELETE /api/companies/{id}': [
    {
      what: 'a company',
      status: 204,
      targets: each(makeCompanies, (id) => ({ path: `/api/companies/${id}` })),
    },
  ],
}

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

/** A contact for each caller, deleted this moment. @returns their ids */
function deletedContacts(world: World, callers: readonly Caller[]) {
  return changedContacts(world, callers, sql`deleted_at = app_now()`)
}

function blockedContacts(world: World, callers: readonly Caller[]) {
  return changedContacts(world, callers, sql`is_blocked = true`)
}

async function changedContacts(world: World, callers: readonly Caller[], change: SQL): Promise<number[]> {
  const ids = (await talks('colleague', true)(world, callers)).map(({ contactId }) => contactId)
  await world.database.execute(sql`update contacts set ${change} where id = any(${sql.param(ids)}::int[])`)
  return ids
}

/** A category for each caller. @returns their ids */
async function makeCategories(world: World, callers: readonly Caller[]): Promise<number[]> {
  const made = await rows<{ id: number }>(
    world.database,
    sql`insert into contact_categories (name)
        select 'Categoria ' || n from unnest(${sql.param(callers.map(() => world.next()))}::int[]) n
        returning id`,
  )
  return made.map(({ id }) => id)
}
