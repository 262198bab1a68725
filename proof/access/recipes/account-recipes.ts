import { makeAccounts } from '../people.ts'
import type { Recipes, Target } from '../recipe.ts'
import type { World } from '../world.ts'

/** The path for everybody. */
const always = (path: string) => async (_world: World, callers: readonly unknown[]) =>
  callers.map((): Target => ({ path }))

const makeOthers = async (world: World, count: number) =>
  makeAccounts(
    world.database,
    Array.from({ length: count }, () => ({ username: `outro-${world.next()}`, role: 'operator' as const })),
  )

/** The calls about one's own session, about accounts and permissions. */
export const accountRecipes: Recipes = {
  'GET /api/auth/me': [{ what: 'oneself', status: 200, targets: always('/api/auth/me') }],
  'DELETE /api/users/{other}': [
    {
      what: 'somebody else',
      status: 204,
      targets: async (world, callers) =>
        (await makeOthers(world, callers.length)).map((id) => ({ path: `/api/users/${id}` })),
    },
  ],
}
