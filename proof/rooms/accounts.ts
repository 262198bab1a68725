import { sql } from 'drizzle-orm'
import { inTransaction } from '#server/platform/database/db.ts'
import { hashToken, randomToken } from '#server/platform/secrets.ts'
import { type MakeThings, insertedId, neverId } from '../references/thing.ts'
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

/** An invitation for each caller that nobody has used. */
async function makeInvitations(world: World, callers: readonly unknown[]) {
  const made: { id: number; token: string }[] = []
  for (const _caller of callers) {
    const token = randomToken()
    const id = await insertedId(world, invitationOf(hashToken(token)))
    made.push({ id: Number(id), token })
  }
  return made
}

/** Of an administrator, since it would otherwise be open no longer. */
const invitationOf = (tokenHash: string, isWithdrawn = false) =>
  sql`insert into invitations (token_hash, role, invited_by, expires_at, withdrawn_at)
      select ${tokenHash}, 'operator', min(id), app_now() + interval '3 days',
             case when ${isWithdrawn} then app_now() end
        from users where role = 'admin' and is_active and not is_blocked and deleted_at is null
      returning id`

/** The calls about accounts, invitations and permissions. */
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
  'GET /api/invitations': plain('those that are open'),
  'POST /api/invitations': changing(
    { what: 'an operator', status: 201, targets: numbered((n) => ({ body: { name: `Nova ${n}` } })) },
    '+audit_logs +invitations',
  ),
  'POST /api/invitations (with permissions)': changing(
    {
      what: 'an operator with permissions of their own',
      status: 201,
      targets: numbered((n) => ({ body: { name: `Nova ${n}`, flags: { canViewCompanies: true } } })),
    },
    '+audit_logs +invitations',
  ),
  'DELETE /api/invitations/{id}': changing(
    { what: 'an open one', status: 204, targets: each(makeInvitations, ({ id }) => id) },
    '+audit_logs invitations.withdrawn_at',
  ),
  'POST /api/invitations/{id}/send': changing(
    {
      what: 'an open one',
      status: 200,
      targets: each(makeInvitations, ({ id, token }, _caller, world) => ({
        id,
        body: { token, phone: world.at.simulator.control.createPhone({ name: 'Nova' }).number },
      })),
    },
    '+audit_logs +rate_limits rate_limits.count invitations.sent_at invitations.sent_to',
  ),
  'POST /api/invitations/open': changing({
    what: 'an open one',
    status: 200,
    targets: each(makeInvitations, ({ token }) => ({ body: { token } })),
  }),
  'POST /api/invitations/accept': changing(
    {
      what: 'an open one',
      status: 201,
      targets: each(makeInvitations, ({ token }, _caller, world) => {
        const n = world.next()
        const account = { username: `convidada-${n}`, name: 'Nova', email: `convidada-${n}@prova.example` }
        return { body: { token, ...account, password: 'alface-roxa' } }
      }),
    },
    '+audit_logs +users invitations.used_at invitations.user_id',
  ),
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
  'GET /api/user-permissions/{userId}/scope': {
    what: "somebody else's",
    status: 200,
    targets: each(others, (userId) => userId),
  },
  'PUT /api/user-permissions/{userId}/scope': changing(
    {
      what: "somebody else's",
      status: 200,
      targets: each(others, (userId) => ({ id: userId, body: { scope: 'sector' } })),
    },
    recordedAndPushed,
    'users.scope',
  ),
  'GET /api/user-permissions/{userId}/phones': {
    what: "somebody else's",
    status: 200,
    targets: each(others, (userId) => userId),
  },
  'PUT /api/user-permissions/{userId}/phones': changing(
    {
      what: "somebody else's",
      status: 200,
      targets: each(others, (userId) => ({ id: userId, body: { hidesPhones: true, revealsPhones: true } })),
    },
    recordedAndPushed,
    'users.hides_phones users.reveals_phones',
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
  invitation: async ({ world }) => {
    const open = await insertedId(world, invitationOf('alheio'))
    const withdrawn = await insertedId(world, invitationOf('retirado', true))
    return { foreign: open, archived: withdrawn, deleted: withdrawn, never: neverId }
  },
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
