import type { ErrorCode } from '#shared/text/error-texts.ts'
import type { Who } from '#server/platform/http/access.ts'
import type { Database } from '#server/platform/database/db.ts'
import { recordRepeated } from './record.ts'

interface Refusal {
  who: Who
  /** The row of the permission table. */
  call: string
  reason: ErrorCode
}

/** Records that a person claimed to be another one when the connection was opened. @see security S-09 */
export async function recordOtherUser(database: Database, who: Who, claimed: unknown): Promise<void> {
  const resourceId = typeof claimed === 'number' ? claimed : undefined
  const entry = { action: 'auth.other_user', outcome: 'refused', resourceId } as const
  await recordRepeated(database, who, entry, String(resourceId ?? ''))
}

/** Records that a call was refused to a person. */
export async function recordRefusal(database: Database, { who, call, reason }: Refusal): Promise<void> {
  await recordRepeated(
    database,
    who,
    { action: 'access.denied', resourceId: call, outcome: 'refused', details: { call, reason } },
    `${call} ${reason}`,
  )
}
