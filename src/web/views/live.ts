import { refetching } from '#web/platform/refetching.ts'

/** Here, since every page loads this file, and few the calls. */
export const viewKeys = { all: ['views'] } as const

export const refetchViews = refetching('views')
