import { hash } from '@node-rs/argon2'
import { sql } from 'drizzle-orm'
import { type Database, rows } from '#server/platform/database/db.ts'
import { hashToken, randomToken } from '#server/platform/secrets.ts'
import { type BadSession, isPerson, type Person, type Principal } from '../law/principals.ts'

/** A principal with an account and a session. */
export interface Caller {
  principal: Principal
  /** 0 for whoever has no account of their own. */
  userId: number
  username: string
  /** What the call is made with; undefined: nothing. */
  token: string | undefined
}

export const password = 'senha-de-prova'

/** As weak as Argon2id allows: the passwords of the matrix are not what is proven. */
const cheapHash = () => hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 })

interface NewAccount {
  username: string
  role: Person['role']
  record?: Person['record']
  state?: 'blocked' | 'inactive' | 'deleted' | undefined
}

/**
 * Writes accounts directly into the database, with the password above.
 * @param hashed the password's hash; by default one that is compared quickly
 * @returns their ids, in order
 */
export async function makeAccounts(
  database: Database,
  accounts: NewAccount[],
  hashed?: string,
): Promise<number[]> {
  const passwordHash = hashed ?? (await cheapHash())
  const wanted = accounts.map(({ record = null, state = null, ...rest }) => ({ ...rest, record, state }))
  const made = await rows<{ id: number }>(
    database,
    sql`with wanted as (select * from json_to_recordset(${JSON.stringify(wanted)}::json)
          as w(username text, role text, record jsonb, state text)),
        made as (insert into users (username, email, name, password_hash, role, is_blocked, is_active,
            deleted_at)
          select username, username || '@prova.example', 'Pessoa ' || username, ${passwordHash}, role,
                 state is not distinct from 'blocked', state is distinct from 'inactive',
                 case when state = 'deleted' then app_now() end
            from wanted returning id, username),
        recorded as (insert into user_permissions (user_id, flags)
          select made.id, wanted.record from made join wanted using (username)
           where wanted.record is not null and jsonb_typeof(wanted.record) = 'object')
        select made.id from unnest(${sql.param(accounts.map(({ username }) => username))}::text[])
          with ordinality as o(username, n) join made using (username) order by n`,
  )
  return made.map(({ id }) => id)
}

/** Opens a session for each account, as signing in does. @returns the tokens, in order */
export async function openSessions(database: Database, userIds: readonly number[]): Promise<string[]> {
  const made = userIds.map((userId) => ({ user_id: userId, token: randomToken() }))
  await database.execute(
    sql`insert into sessions (user_id, token_hash) select user_id, token_hash
          from json_to_recordset(${JSON.stringify(
            made.map((one) => ({ user_id: one.user_id, token_hash: hashToken(one.token) })),
          )}::json) as w(user_id int, token_hash text)`,
  )
  return made.map(({ token }) => token)
}

/**
 * Makes the sessions as fresh as right after signing in, for calls that ask for the password again when it
 * was given some time ago. Whatever remembers that time is set here.
 */
export async function freshenSessions(database: Database): Promise<void> {
  await database.execute(
    sql`update sessions set created_at = app_now(), last_seen_at = app_now(), confirmed_at = app_now()
         where ended_at is null and last_seen_at > app_now() - interval '12 hours'
           and created_at < app_now() - interval '5 minutes'`,
  )
}

const jwt = (header: object, payload: object, signature: string) =>
  [header, payload].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.') +
  `.${signature}`

/** A session that must give nothing; `adminId` is an administrator's, whom it claims to be. */
async function badToken(database: Database, bad: BadSession, adminId: number): Promise<string | undefined> {
  const claims = { sub: String(adminId), userId: adminId, role: 'admin', exp: 4_102_444_800 }
  switch (bad) {
    case 'none':
      return undefined
    case 'malformed':
      return 'no;session'
    case 'foreign key':
      return jwt({ alg: 'HS256', typ: 'JWT' }, claims, 'Zm9yZWlnbi1rZXktc2lnbmF0dXJlLW9mLTMyLWJ5dGVz')
    case 'alg none':
      return jwt({ alg: 'none', typ: 'JWT' }, claims, '')
    default: {
      const state = bad === 'blocked' || bad === 'inactive' || bad === 'deleted' ? bad : undefined
      const username = `ruim-${bad.replaceAll(' ', '-')}`
      const [userId = 0] = await makeAccounts(database, [{ username, role: 'admin', state }])
      const [token = ''] = await openSessions(database, [userId])
      if (bad === 'expired')
        await database.execute(
          sql`update sessions set last_seen_at = app_now() - interval '13 hours',
                created_at = app_now() - interval '14 hours' where user_id = ${userId}`,
        )
      if (bad === 'logged out')
        await database.execute(sql`update sessions set ended_at = app_now() where user_id = ${userId}`)
      return token
    }
  }
}

/** Gives each principal an account, if it has one, and a session. */
export async function makeCallers(database: Database, principals: readonly Principal[]): Promise<Caller[]> {
  const people = principals.filter(isPerson)
  const usernames = people.map((_, n) => `pessoa-${String(n).padStart(3, '0')}`)
  const accounts = people.map(({ role, record }, n) => ({ username: usernames[n] ?? '', role, record }))
  const ids = await makeAccounts(database, accounts)
  const tokens = await openSessions(database, ids)
  const callers = new Map<Principal, Caller>()
  people.forEach((principal, n) =>
    callers.set(principal, {
      principal,
      userId: ids[n] ?? 0,
      username: usernames[n] ?? '',
      token: tokens[n],
    }),
  )
  for (const principal of principals)
    if (!isPerson(principal)) {
      const token = await badToken(database, principal.bad, ids[0] ?? 0)
      callers.set(principal, { principal, userId: 0, username: '', token })
    }
  return principals.map((principal) => callers.get(principal) as Caller)
}
