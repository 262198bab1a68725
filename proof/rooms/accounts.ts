import { sql } from 'drizzle-orm'
import { inTransaction } from '#server/platform/database/db.ts'
import { type MakeThings, neverId } from '../references/thing.ts'
import { type Acts, type BroughtBy, pick } from '../walk/writing.ts'
import { type Caller, makeAccounts, openSessions } from '../access/world/people.ts'
import { isPerson } from '../access/law/principals.ts'
import { changing, type Recipes } from '../access/recipe.ts'
import type { World } from '../access/world/world.ts'
import { recordedAndPushed } from '../access/owned.ts'
import { each, numbered, plain } from '../access/targets.ts'

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
export const recipes = {
  'GET /api/users': plain('all'),
  'GET /api/users/operators': plain('all'),
  'POST /api/users': changing(
    {
      what: 'an operator',
      status: 201,
      targets: numbered((n) => ({
        body: { username: `novo-${n}`, name: 'Nova', email: `${n}@prova.example`, password: 'alface-roxa' },
      })),
    },
    '+audit_logs +users',
  ),
  'PUT /api/users/{id}': changing(
    [
      { what: 'somebody else', status: 200, targets: aboutOther('', { name: 'Outro nome' }) },
      { what: "somebody else's role", status: 200, targets: aboutOther('', { role: 'supervisor' }) },
    ],
    recordedAndPushed,
    'users.name users.updated_at',
  ),
  'DELETE /api/users/{other}': changing(
    { what: 'somebody else', status: 204, targets: aboutOther('') },
    recordedAndPushed,
    'users.deleted_at users.is_active users.updated_at',
  ),
  'DELETE /api/users/{self}': changing({ what: 'oneself', status: 204, targets: aboutSelf('') }),
  'POST /api/users/{other}/toggle-block': changing(
    { what: 'somebody else', status: 200, targets: aboutOther('/toggle-block') },
    recordedAndPushed,
    'users.is_blocked users.updated_at',
  ),
  'POST /api/users/{self}/toggle-block': changing({
    what: 'oneself',
    status: 200,
    targets: aboutSelf('/toggle-block'),
  }),
  'GET /api/user-permissions (own)': plain("one's own"),
  'GET /api/user-permissions (all)': {
    ...plain("everybody's"),
    part: (body: unknown) => Array.isArray(body) && body.length > 1,
  },
  'POST /api/user-permissions': changing(
    {
      what: "somebody else's",
      status: 201,
      targets: each(others, (userId) => ({ body: { userId, flags: { canViewCompanies: true } } })),
    },
    recordedAndPushed,
    '+user_permissions',
  ),
  'PUT /api/user-permissions/{userId}': changing(
    {
      what: "somebody else's",
      status: 200,
      targets: each(others, (userId) => ({ id: userId, body: { canViewCompanies: true } })),
    },
    recordedAndPushed,
    '+user_permissions',
  ),
} satisfies Recipes

export const acts = {
  'other permissions': [
    3,
    async (world) => {
      const operator = world.principals.find((who) => who.role === 'operator')
      if (!operator) return
      await world.setFlags(operator, {
        canViewArchivedConversations: world.random() < 0.5,
        canViewConversations: world.random() < 0.8,
      })
    },
  ],
  'wrong passwords, or an unblocking': [
    1,
    async ({ database, random, principals }) => {
      const who = pick(random, principals)
      if (!who) return
      await inTransaction(database, async (db) => {
        await db.execute(
          sql`update users set login_locked_at = case when login_locked_at is null then app_now() end
               where id = ${who.id}`,
        )
        db.emit({ type: 'account_changed', userId: who.id })
      })
    },
  ],
} satisfies Acts

export const broughtBy = {
  permissions_changed: 'other permissions',
  account_changed: 'wrong passwords, or an unblocking',
} as const satisfies BroughtBy

export const things = {
  user: async ({ world }) => {
    const [userId = 0, deletedUserId = 0] = await makeAccounts(world.database, [
      { username: 'alheio', role: 'operator' },
      { username: 'excluido', role: 'operator', state: 'deleted' },
    ])
    return {
      foreign: String(userId),
      archived: String(userId),
      deleted: String(deletedUserId),
      never: neverId,
    }
  },
} satisfies MakeThings
