/** Why a backup is not made, or a file is none. Its message is shown, in Portuguese. */
export class BackupError extends Error {
  override name = 'BackupError'
}

/** A part of a backup is not what its manifest says. */
export class PartDamaged extends BackupError {}
