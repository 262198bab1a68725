import { adminsWith } from '#shared/rights.ts'

export const acts = { viewNotices: adminsWith() }

export type Subject = 'notice'
