/** Why a backup is not made, or a file is none. Its message is shown, in Portuguese. */
export class BackupError extends Error {
  override name = 'BackupError'
}
