import type { Caller } from '../people.ts'
import type { Case, Recipes, Target } from '../recipe.ts'
import { rowOf } from '../table.ts'
import { makeTalks, type Talk } from '../talks.ts'
import type { World } from '../world.ts'

const openRow = rowOf('GET /api/conversations/{open}')

/** A conversation for each caller, of somebody else, of nobody or his own. */
const talksOf =
  (whose: 'colleague' | 'nobody' | 'own', isCompleted: boolean, target: (talk: Talk) => Target) =>
  async (world: World, callers: readonly Caller[]) => {
    const holderOf = ({ userId }: Caller) =>
      whose === 'nobody' ? null : whose === 'own' && userId !== 0 ? userId : world.colleague.userId
    const wanted = callers.map((caller) => ({ holderId: holderOf(caller), isCompleted }))
    return (await makeTalks(world, wanted)).map(target)
  }

const reading = (suffix: string) => (talk: Talk) => ({ path: `/api/conversations/${talk.id}${suffix}` })

const ofOpen = (suffix: string): Case[] => [
  {
    what: 'of a colleague',
    sees: 'reader',
    status: 200,
    targets: talksOf('colleague', false, reading(suffix)),
  },
  { what: 'in the FILA', sees: 'reader', status: 200, targets: talksOf('nobody', false, reading(suffix)) },
  { what: 'own', sees: 'reader', status: 200, targets: talksOf('own', false, reading(suffix)) },
]

const ofCompleted = (suffix: string): Case[] => [
  {
    what: 'of a colleague',
    sees: 'archive',
    status: 200,
    targets: talksOf('colleague', true, reading(suffix)),
  },
  // D4: without canViewArchivedConversations, those that were assigned to the person.
  {
    what: 'own',
    sees: 'reader',
    needs: openRow,
    status: 200,
    targets: talksOf('own', true, reading(suffix)),
  },
]

/** The calls about conversations. */
export const conversationRecipes: Recipes = {
  'GET /api/conversations/{open}': ofOpen(''),
  'GET /api/conversations/{completed}': ofCompleted(''),
  'POST /api/conversations/{id}/finalize': [
    {
      what: 'of a colleague',
      sees: 'reader',
      status: 200,
      targets: talksOf('colleague', false, (talk) => ({
        path: `/api/conversations/${talk.id}/finalize`,
        body: { notes: 'Resolvido' },
      })),
    },
  ],
}
