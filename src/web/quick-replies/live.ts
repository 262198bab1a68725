import { refetching } from '#web/platform/refetching.ts'

/** Here, since every page loads this file, and few the calls. */
export const replyKeys = { all: ['quick-replies'] } as const

export const refetchReplies = refetching('quick-replies')
