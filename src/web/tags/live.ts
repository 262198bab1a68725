import { refetching } from '#web/platform/refetching.ts'

/** Here, since every page loads this file, and few the calls. */
export const tagKeys = { all: ['tags'] } as const

/** Tags, or where one is asked for, are others. */
export const refetchTags = refetching('tags')
