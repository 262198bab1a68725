import type { MaintenanceStep } from '#shared/maintenance/maintenance.ts'
import { type DatabaseDisk, DiskFull, reserveBytes } from '#server/platform/file-store/disk-room.ts'

/** Tells how far a run is. Its steps may be told as often as they like. */
export interface Progress {
  /** Begins a step; `total` in its own unit, if it is known. */
  begin(step: MaintenanceStep, total?: number): Promise<void>
  /** So much more of the step is done. @throws JobInterrupted once the run is to end */
  add(count: number): Promise<void>
}

/**
 * The progress of rows that are loaded into the database, which ends while there is still room for messages.
 * @throws DiskFull with the next progress
 */
export function whileThereIsRoom(disk: DatabaseDisk, progress: Progress): Progress {
  return {
    begin: (step, total) => progress.begin(step, total),
    async add(count) {
      const free = await disk.freeBytes()
      if (free !== undefined && free < reserveBytes)
        throw new DiskFull('the rest of the disk is for the messages')
      await progress.add(count)
    },
  }
}

/** For a command, which shows nothing. */
export const noProgress: Progress = { begin: async () => undefined, add: async () => undefined }
