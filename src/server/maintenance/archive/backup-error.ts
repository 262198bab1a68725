import { isDatabaseDown } from '#server/platform/database/db.ts'
import { BucketError } from '#server/platform/file-store/bucket-client.ts'
import { isDiskFull } from '#server/platform/file-store/disk-room.ts'
import { JobInterrupted } from '#server/platform/jobs/job-definition.ts'

/** Why a backup is not made, or a file is none. Its message is shown, in Portuguese. */
export class BackupError extends Error {
  override name = 'BackupError'
}

/** A part of a backup is not what its manifest says. */
export class PartDamaged extends BackupError {}

/**
 * Says of what is read that it is damaged, whatever shows it first: a stream that cannot be decompressed, a
 * line that is no JSON, a row that the database refuses.
 * @throws BackupError; what is no fault of the file passes through
 */
export async function orDamaged<Result>(words: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const hasMessage = error instanceof BackupError || error instanceof BucketError
    if (hasMessage || error instanceof JobInterrupted || isDiskFull(error)) throw error
    // A missing file has the code of a missing socket.
    const isOfFile = error instanceof Error && 'syscall' in error && error.syscall === 'open'
    if (isDatabaseDown(error) && !isOfFile) throw error
    throw new BackupError(words, { cause: error })
  }
}
