import { type ImportState, type KnownChoice } from '#shared/contacts/contact-imports.ts'
import { rows } from '#server/platform/database/db.ts'
import { fileOfContacts } from '../world/imports.ts'
import type { Caller } from '../world/people.ts'
import type { World } from '../world/world.ts'
import type { Recipes } from '../recipe.ts'
import { always, each, formOf, once } from './targets.ts'

const path = (id: number, act = '') => `/api/contacts/imports/${id}${act}`

const made = async (world: World, state: ImportState, known?: KnownChoice): Promise<number> => {
  const [row] = await rows<{ id: number }>(
    world.database,
    fileOfContacts(world.colleague.userId, state, known),
  )
  return row?.id ?? 0
}

/** A file of a colleague for each caller. */
const files =
  (state: ImportState, known: KnownChoice = 'skip') =>
  async (world: World, callers: readonly Caller[]): Promise<number[]> => {
    const ids: number[] = []
    for (const _caller of callers) ids.push(await made(world, state, known))
    return ids
  }

const begin = (known: KnownChoice) => [
  {
    what: `known ones: ${known}`,
    status: 200,
    targets: each(files('read'), (id) => ({
      path: path(id, '/start'),
      body: { mapping: ['name', 'phone'], known },
    })),
  },
]
const goOn = (known: KnownChoice) => [
  {
    what: `known ones: ${known}`,
    status: 200,
    targets: each(files('stopped', known), (id) => ({ path: path(id, '/continue') })),
  },
]

/** The calls about the import and the export of contacts. */
export const importRecipes: Recipes = {
  'POST /api/contacts/import': [
    {
      what: 'a file',
      status: 201,
      targets: each(
        async (_world, callers) => callers.map(() => 0),
        () => ({
          path: '/api/contacts/import',
          form: formOf({}, Buffer.from('Nome;Telefone\nRita;11987654321\n')),
        }),
      ),
    },
  ],
  'GET /api/contacts/imports': [
    { what: 'the last ones', status: 200, targets: always('/api/contacts/imports') },
  ],
  'GET /api/contacts/imports/{id}': [
    {
      what: 'of a colleague',
      status: 200,
      targets: once(async (world) => ({ path: path(await made(world, 'done')) })),
    },
  ],
  'POST /api/contacts/imports/{id}/start (skip)': begin('skip'),
  'POST /api/contacts/imports/{id}/start (update)': begin('update'),
  'POST /api/contacts/imports/{id}/stop': [
    {
      what: 'a running one',
      status: 200,
      targets: each(files('running'), (id) => ({ path: path(id, '/stop') })),
    },
  ],
  'POST /api/contacts/imports/{id}/continue (skip)': goOn('skip'),
  'POST /api/contacts/imports/{id}/continue (update)': goOn('update'),
  'POST /api/contacts/imports/{id}/undo': [
    {
      what: 'one that is done',
      status: 200,
      targets: each(files('done'), (id) => ({ path: path(id, '/undo') })),
    },
    {
      what: 'a running one',
      status: 409,
      targets: each(files('running'), (id) => ({ path: path(id, '/undo') })),
    },
  ],
  'DELETE /api/contacts/imports/{id}': [
    {
      what: 'one that has not begun',
      status: 204,
      targets: each(files('read'), (id) => ({ path: path(id) })),
    },
  ],
  'GET /api/contacts/imports/{id}/errors': [
    {
      what: 'of a colleague',
      status: 200,
      targets: once(async (world) => ({ path: path(await made(world, 'done'), '/errors?page=1') })),
    },
  ],
  'GET /api/contacts/imports/{id}/errors/export': [
    {
      what: 'of a colleague',
      status: 200,
      targets: once(async (world) => ({ path: path(await made(world, 'done'), '/errors/export') })),
    },
  ],
  'GET /api/contacts/export': [
    { what: 'as CSV', status: 200, targets: always('/api/contacts/export?format=csv&search=ninguem') },
    { what: 'as XLSX', status: 200, targets: always('/api/contacts/export?format=xlsx&search=ninguem') },
  ],
}
