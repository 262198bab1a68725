import type { Role } from '#shared/permissions.ts'
import { record } from '#server/audit/audit.ts'
import { type Database, inTransaction } from '#server/platform/database/db.ts'
import { hashToken, randomToken } from '#server/platform/secrets.ts'
import { insertUser } from '#server/users/accounts/account-queries.ts'
import { isDutyOf } from '#server/users/second-factor/queries.ts'
import { hashPassword } from '#server/users/sign-in/passwords.ts'
import { insertSession } from '#server/users/sign-in/queries.ts'

/** Hashing is slow by design, and all people of the tests have the same password. */
const hashes = new Map<string, Promise<string>>()

function hashOf(password: string): Promise<string> {
  const known = hashes.get(password) ?? hashPassword(password)
  hashes.set(password, known)
  return known
}

/** Inserts a user and a session, as creating the account and a login with the password leave them. */
export async function givenSession(
  database: Database,
  { role, username, password }: { role: Role; username: string; password: string },
): Promise<{ userId: number; token: string }> {
  const passwordHash = await hashOf(password)
  const name = username[0]?.toUpperCase() + username.slice(1)
  const email = `${username}@teste.example`
  const token = randomToken()
  const source = { address: '127.0.0.1', device: 'node' }
  const userId = await inTransaction(database, async (db) => {
    const id = await insertUser(db, { username, email, name, role, passwordHash })
    const sessionId = await insertSession(db, {
      tokenHash: hashToken(token),
      userId: id,
      mustEnroll: await isDutyOf(db, role),
      userAgent: source.device,
      address: source.address,
    })
    await record(db, { id, name, role, sessionId, source }, { action: 'auth.login', resourceId: id })
    return id
  })
  return { userId, token }
}
