import { refetching } from '#web/platform/refetching.ts'

/** Here, since every page loads this file, and few the calls. */
export const reasonKeys = { all: ['reasons'] } as const

/** Reasons, or where one is asked for, are others. */
export const refetchReasons = refetching('reasons')
