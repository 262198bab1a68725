import { adminsWith } from '#shared/rights.ts'

export const acts = { manageAssistant: adminsWith('canEditSettings') }

export type Action = 'assistant.update' | 'assistant.test'
