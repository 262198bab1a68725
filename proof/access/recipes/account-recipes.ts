import { type Caller, makeAccounts, openSessions } from '../world/people.ts'
import { isPerson } from '../law/principals.ts'
import type { Recipes } from '../recipe.ts'
import type { World } from '../world/world.ts'
import { always, each } from './targets.ts'

/** An operator for each caller, of whom nobody is anything. */
export const others = (world: World, callers: readonly unknown[]) =>
  makeAccounts(
    world.database,
    callers.map(() => ({ username: `outro-${world.next()}`, role: 'operator' as const })),
  )

const aboutOther = (suffix: string, body?: Record<string, unknown>) =>
  each(others, (id) => ({ path: `/api/users/${id}${suffix}`, ...(body && { body }) }))

/** Somebody with the rights of each caller, whom it would not matter to lose. */
export async function twinsOf(world: World, callers: readonly Caller[]) {
  const ids = await makeAccounts(
    world.database,
    callers.map(({ principal }) => ({
      username: `igual-${world.next()}`,
      role: isPerson(principal) ? principal.role : ('operator' as const),
      record: isPerson(principal) ? principal.record : null,
    })),
  )
  const tokens = await openSessions(world.database, ids)
  return callers.map(({ principal, token }, n) => ({
    id: ids[n] ?? 0,
    token: isPerson(principal) ? tokens[n] : token,
  }))
}

const aboutSelf = (suffix: string) =>
  each(twinsOf, ({ id, token }) => ({ path: `/api/users/${id}${suffix}`, token }))

/** The calls about accounts and permissions. */
export const accountRecipes: Recipes = {
  'GET /api/users': [{ what: 'all', status: 200, targets: always('/api/users') }],
  'GET /api/users/operators': [{ what: 'all', status: 200, targets: always('/api/users/operators') }],
  'POST /api/users': [
    {
      what: 'an operator',
      status: 201,
      targets: each(
        async (world, callers) => callers.map(() => `novo-${world.next()}`),
        (username) => ({
          path: '/api/users',
          body: { username, name: username, email: `${username}@prova.example`, password: 'alface-roxa' },
        }),
      ),
    },
  ],
  'PUT /api/users/{id}': [
    { what: 'somebody else', status: 200, targets: aboutOther('', { name: 'Outro nome' }) },
    { what: "somebody else's role", status: 200, targets: aboutOther('', { role: 'supervisor' }) },
  ],
  'DELETE /api/users/{other}': [{ what: 'somebody else', status: 204, targets: aboutOther('') }],
  'DELETE /api/users/{self}': [{ what: 'oneself', status: 204, targets: aboutSelf('') }],
  'POST /api/users/{other}/toggle-block': [
    { what: 'somebody else', status: 200, targets: aboutOther('/toggle-block') },
  ],
  'POST /api/users/{self}/toggle-block': [
    { what: 'oneself', status: 200, targets: aboutSelf('/toggle-block') },
  ],
  'GET /api/user-permissions (own)': [
    { what: "one's own", status: 200, targets: always('/api/user-permissions') },
  ],
  'GET /api/user-permissions (all)': [
    {
      what: "everybody's",
      status: 200,
      part: (body) => Array.isArray(body) && body.length > 1,
      targets: always('/api/user-permissions'),
    },
  ],
  'POST /api/user-permissions': [
    {
      what: "somebody else's",
      status: 201,
      targets: each(others, (userId) => ({
        path: '/api/user-permissions',
        body: { userId, flags: { canViewCompanies: true } },
      })),
    },
  ],
  'PUT /api/user-permissions/{userId}': [
    {
      what: "somebody else's",
      status: 200,
      targets: each(others, (userId) => ({
        path: `/api/user-permissions/${userId}`,
        body: { canViewCompanies: true },
      })),
    },
  ],
}
