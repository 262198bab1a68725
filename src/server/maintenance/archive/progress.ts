import type { MaintenanceStep } from '#shared/maintenance/maintenance.ts'

/** Tells how far a run is. Its steps may be told as often as they like. */
export interface Progress {
  /** Begins a step; `total` in its own unit, if it is known. */
  begin(step: MaintenanceStep, total?: number): Promise<void>
  /** So much more of the step is done. @throws JobInterrupted once the run is to end */
  add(count: number): Promise<void>
}

/** For a command, which shows nothing. */
export const noProgress: Progress = { begin: async () => undefined, add: async () => undefined }
