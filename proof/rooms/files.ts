import { type MakeThings, neverName } from '../references/thing.ts'
import { attachPictures, picture } from '../access/world/messages.ts'
import { changing, type Recipes, type Target } from '../access/recipe.ts'
import { rowOf } from '../access/law/table.ts'
import type { Talk } from '../access/world/talks.ts'
import type { World } from '../access/world/world.ts'
import { recordedAndPushed, answered, assigned, sent } from '../access/owned.ts'
import { each, formOf, once, oneTalk, shared, talks } from '../access/targets.ts'

/** A conversation whose message is a picture, for everybody. */
const pictureOf = (isCompleted: boolean, target: (talk: Talk, name: string) => Target) =>
  once(async (world) => {
    const talk = await oneTalk(world, 'colleague', isCompleted)
    const [name = ''] = await attachPictures(world, [talk])
    return target(talk, name)
  })

/** One for each caller, which was completed by them. */
const ownPictures = (target: (talk: Talk, name: string) => Target) =>
  each(
    async (world: World, callers) => {
      const made = await talks('own', true)(world, callers)
      const names = await attachPictures(world, made)
      return made.map((talk, n) => ({ talk, name: names[n] ?? '' }))
    },
    ({ talk, name }) => target(talk, name),
  )

const upload = '/api/media/upload'
const byMessage = ({ messageId }: Talk) => ({ path: `/api/media/evolution/${messageId}` })
const byName = (_talk: Talk, name: string) => ({ path: `/api/media/files/${name}` })
const withForm = ({ id }: Talk) => ({
  path: upload,
  form: formOf({ conversationId: String(id), caption: 'A foto' }, picture),
})

const inNote = ({ id }: Talk) => ({
  path: upload,
  form: formOf({ conversationId: String(id), isNote: 'true', caption: 'A foto' }, picture),
})

/** The calls about files of conversations. */
export const recipes = {
  'POST /api/media/upload': changing(
    [
      { what: 'in the FILA', sees: 'reader', status: 201, targets: each(talks('nobody'), withForm) },
      {
        what: 'completed, of a colleague',
        sees: 'archive',
        status: 409,
        targets: shared('colleague', true, withForm),
      },
    ],
    sent,
    assigned,
    answered,
    recordedAndPushed,
    '+files files.message_id',
  ),
  'POST /api/media/upload (note)': changing(
    [
      { what: 'in the FILA', sees: 'reader', status: 201, targets: each(talks('nobody'), inNote) },
      {
        what: 'completed, of a colleague',
        sees: 'archive',
        status: 201,
        targets: each(talks('colleague', true), inNote),
      },
    ],
    recordedAndPushed,
    '+files +messages +conversation_people conversations.version files.message_id',
  ),
  'GET /api/media/evolution/{msg of open}': {
    what: 'of a colleague',
    sees: 'reader',
    status: 200,
    targets: pictureOf(false, byMessage),
  },
  'GET /api/media/evolution/{msg of archived}': [
    { what: 'of a colleague', sees: 'archive', status: 200, targets: pictureOf(true, byMessage) },
    {
      what: 'own',
      sees: 'reader',
      needs: rowOf('GET /api/media/evolution/{msg of open}'),
      status: 200,
      targets: ownPictures(byMessage),
    },
  ],
  'GET /api/media/files/{name}': [
    { what: 'of an open conversation', sees: 'reader', status: 200, targets: pictureOf(false, byName) },
    {
      what: 'of a completed conversation of a colleague',
      sees: 'archive',
      status: 200,
      targets: pictureOf(true, byName),
    },
    { what: 'of an own completed conversation', sees: 'reader', status: 200, targets: ownPictures(byName) },
  ],
} satisfies Recipes

export const things = {
  file: ({ pictures }) => Promise.resolve({ ...pictures, never: neverName }),
} satisfies MakeThings
