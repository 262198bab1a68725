import type { ImportState, KnownChoice } from '#shared/contacts/contact-imports.ts'
import { rows } from '#server/platform/database/db.ts'
import { type MakeThings, ofRow } from '../references/thing.ts'
import { fileOfContacts, keptFileOfContacts } from '../access/world/imports.ts'
import type { Caller } from '../access/world/people.ts'
import type { World } from '../access/world/world.ts'
import { changing, type Recipes } from '../access/recipe.ts'
import { always, each, formOf, numbered, once, plain } from '../access/targets.ts'

const made = async (world: World, state: ImportState, known?: KnownChoice): Promise<number> => {
  const [row] = await rows<{ id: number }>(
    world.database,
    fileOfContacts(world.colleague.userId, state, known),
  )
  return row?.id ?? 0
}

const done = (world: World) => made(world, 'done')

/** A file of a colleague for each caller. */
const files =
  (state: ImportState, known: KnownChoice = 'skip') =>
  async (world: World, callers: readonly Caller[]): Promise<number[]> => {
    const ids: number[] = []
    for (const _caller of callers) ids.push(await made(world, state, known))
    return ids
  }

/** The same, which can be read again. */
async function keptFiles(world: World, callers: readonly Caller[]): Promise<number[]> {
  const ids: number[] = []
  for (const _caller of callers) ids.push(await keptFileOfContacts(world, world.colleague.userId))
  return ids
}

const begin = (known: KnownChoice) => ({
  what: `known ones: ${known}`,
  status: 200,
  targets: each(files('read'), (id) => ({ id, body: { mapping: ['name', 'phone'], known } })),
})
const goOn = (known: KnownChoice) => ({
  what: `known ones: ${known}`,
  status: 200,
  targets: each(files('stopped', known), (id) => id),
})

/** What changes of a file that is begun, or goes on. */
const importing =
  '+audit_logs contact_imports.actor contact_imports.ended_at contact_imports.known ' +
  'contact_imports.mapping contact_imports.may_create_companies contact_imports.resumed_at ' +
  'contact_imports.started_at contact_imports.state'

/** The calls about the import and the export of contacts. */
export const recipes = {
  'POST /api/contacts/import': changing(
    {
      what: 'a file',
      status: 201,
      targets: numbered(() => ({ form: formOf({}, Buffer.from('Nome;Telefone\nRita;11987654321\n')) })),
    },
    '+contact_imports',
  ),
  'GET /api/contacts/imports': plain('the last ones'),
  'GET /api/contacts/imports/{id}': { what: 'of a colleague', status: 200, targets: once(done) },
  'PUT /api/contacts/imports/{id}/rows': changing(
    [
      {
        what: 'one that has not begun',
        status: 200,
        targets: each(keptFiles, (id) => ({ id, body: { sheet: 0, headerLine: 1, withHidden: true } })),
      },
      {
        what: 'one of an earlier version',
        status: 409,
        targets: each(files('read'), (id) => ({ id, body: { sheet: 0, withHidden: true } })),
      },
    ],
    'contact_imports.first_lines contact_imports.first_rows contact_imports.known_rows ' +
      'contact_imports.mapping_from contact_imports.samples contact_imports.total_rows ' +
      'contact_imports.with_hidden',
  ),
  'POST /api/contacts/imports/{id}/start (skip)': changing(begin('skip'), importing),
  'POST /api/contacts/imports/{id}/start (update)': changing(begin('update'), importing),
  'POST /api/contacts/imports/{id}/stop': changing(
    { what: 'a running one', status: 200, targets: each(files('running'), (id) => id) },
    '+audit_logs contact_imports.ended_at contact_imports.state',
  ),
  'POST /api/contacts/imports/{id}/continue (skip)': changing(goOn('skip'), importing),
  'POST /api/contacts/imports/{id}/continue (update)': changing(goOn('update'), importing),
  'POST /api/contacts/imports/{id}/undo': changing(
    [
      { what: 'one that is done', status: 200, targets: each(files('done'), (id) => id) },
      { what: 'a running one', status: 409, targets: each(files('running'), (id) => id) },
    ],
    '+audit_logs contact_imports.actor contact_imports.may_create_companies contact_imports.state',
  ),
  'DELETE /api/contacts/imports/{id}': changing(
    { what: 'one that has not begun', status: 204, targets: each(files('read'), (id) => id) },
    '-contact_imports',
  ),
  'GET /api/contacts/imports/{id}/errors': {
    what: 'of a colleague',
    status: 200,
    targets: once(async (world) => ({
      path: `/api/contacts/imports/${await made(world, 'done')}/errors?page=1`,
    })),
  },
  'GET /api/contacts/imports/{id}/errors/export': {
    what: 'of a colleague',
    status: 200,
    targets: once(done),
  },
  'GET /api/contacts/export': [
    { what: 'as CSV', status: 200, targets: always('/api/contacts/export?format=csv&search=ninguem') },
    { what: 'as XLSX', status: 200, targets: always('/api/contacts/export?format=xlsx&search=ninguem') },
  ],
} satisfies Recipes

export const things = {
  // Everybody who may import sees all of them.
  import: ofRow((holderId) => fileOfContacts(holderId)),
} satisfies MakeThings
