import { supervisorsWith } from '#shared/rights.ts'

/** Administrators see all of them; whoever manages or leads sectors those about their queues. */
export const acts = { viewNotices: { ...supervisorsWith('canManageSectors'), orLead: true } }

export type Subject = 'notice'
