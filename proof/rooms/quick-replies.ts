import { sql } from 'drizzle-orm'
import { rows } from '#server/platform/database/db.ts'
import type { World } from '../access/world/world.ts'
import { makeFiles, picture } from '../access/world/messages.ts'
import type { Caller } from '../access/world/people.ts'
import { changing, type Recipes } from '../access/recipe.ts'
import { each, formOf, idOf, numbered, plain } from '../access/targets.ts'
import { type MakeThings, ofRow } from '../references/thing.ts'
import { type Acts, administratorOf } from '../walk/writing.ts'

const form = (n: number) => ({ shortcut: `atalho-${n}`, text: 'Olá, {{contact}}', sectorId: null })

/** The calls about quick replies of a person and of sectors. */
export const recipes = {
  'GET /api/quick-replies': plain('all'),
  'GET /api/quick-replies/{id}/file': {
    what: 'of their own',
    status: 200,
    targets: each(
      (world, callers) => makeReplies(world, callers, true),
      (id) => id,
    ),
  },
  'POST /api/quick-replies': changing(
    { what: 'a new one of their own', status: 201, targets: numbered((n) => ({ body: form(n) })) },
    '+audit_logs +events +quick_replies',
  ),
  'PATCH /api/quick-replies/{id}': changing(
    {
      what: 'their own',
      status: 204,
      targets: each(makeReplies, (id, _caller, world) => ({
        id,
        body: { shortcut: `outro-${world.next()}`, text: 'Até logo' },
      })),
    },
    '+audit_logs +events quick_replies.shortcut quick_replies.shortcut_folded quick_replies.text',
    'quick_replies.version',
  ),
  'DELETE /api/quick-replies/{id}': changing(
    { what: 'their own', status: 204, targets: each(makeReplies, (id) => id) },
    '+audit_logs +events -quick_replies',
  ),
  'POST /api/quick-replies/file': changing(
    {
      what: 'a picture',
      status: 201,
      targets: async (_world, callers) => callers.map(() => ({ form: formOf({}, picture) })),
    },
    '+files',
  ),
  'POST /api/quick-replies/import': changing(
    {
      what: 'one of their own',
      status: 201,
      targets: numbered((n) => ({
        body: { sectorId: null, replies: [{ shortcut: `trazido-${n}`, text: 'Olá' }] },
      })),
    },
    '+audit_logs +events +quick_replies',
  ),
} satisfies Recipes

/** A reply of each caller, with a file if asked. @returns their ids */
async function makeReplies(world: World, callers: readonly Caller[], hasFile = false): Promise<number[]> {
  const owners = callers.map((caller) => idOf(world, caller))
  const [name] = hasFile ? await makeFiles(world, [{ isQuickResponse: true }]) : []
  const file = { name, fileName: 'foto.png', mimeType: 'image/png', sizeBytes: picture.length }
  const made = await rows<{ id: number }>(
    world.database,
    sql`insert into quick_replies (owner_id, shortcut, text, file)
        select n.id, 'atalho-' || n.place || '-' || ${String(world.next())}, 'Olá',
               ${name === undefined ? null : JSON.stringify(file)}::jsonb
          from unnest(${sql.param(owners)}::int[]) with ordinality n(id, place)
         order by n.place returning id`,
  )
  return made.map(({ id }) => id)
}

export const acts = {
  'a quick reply is made, changed or deleted': [
    1,
    async (world) => {
      const admin = administratorOf(world)
      const [found] = await rows<{ id: number }>(
        world.database,
        sql`select q.id from quick_replies q join users u on u.id = q.owner_id
             where u.role = 'admin' order by random() limit 1`,
      )
      const body = form(++world.count)
      const dice = world.random()
      if (!found || dice < 0.5) await world.request(admin, 'POST', '/api/quick-replies', body)
      else if (dice < 0.8)
        await world.request(admin, 'PATCH', `/api/quick-replies/${found.id}`, { shortcut: body.shortcut })
      else await world.request(admin, 'DELETE', `/api/quick-replies/${found.id}`)
    },
  ],
} satisfies Acts

export const broughtBy = { quick_replies_changed: 'a quick reply is made, changed or deleted' } as const

export const things = {
  'quick reply': ofRow(
    () => sql`insert into quick_replies (owner_id, shortcut, text)
              select min(u.id), 'alheia-' || gen_random_uuid(), 'Olá' from users u returning id`,
  ),
} satisfies MakeThings
