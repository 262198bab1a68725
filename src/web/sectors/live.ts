import { refetching } from '#web/platform/refetching.ts'

/** Here, since every page loads this file, and few the calls. */
export const sectorKeys = { all: ['sectors'] } as const

/** Sectors, or what of them depends on the settings, are others. */
export const refetchSectors = refetching('sectors')
