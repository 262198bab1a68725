import { refetching } from '#web/platform/refetching.ts'

/** Here, since every page loads this file, and few the calls. */
export const macroKeys = { all: ['macros'] } as const

export const refetchMacros = refetching('macros')
