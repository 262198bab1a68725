import * as z from 'zod/mini'
import { listing } from '#shared/audit/unaudited.ts'
import { endpoint } from '#shared/endpoint.ts'
import { id } from '#shared/users/users.ts'

/** Steps that are done together in a conversation, as whoever runs them finds them. */
export const macro = z.object({
  id,
  name: z.string(),
  /** What is typed behind a slash. */
  shortcut: z.string(),
  /** How many steps it has. */
  stepCount: z.int(),
})
export type Macro = z.infer<typeof macro>

export const listMacros = endpoint({
  method: 'GET',
  path: '/api/macros',
  summary: 'As macros que a pessoa roda, por nome',
  act: 'viewConversations',
  audit: listing,
  reply: z.array(macro),
})

/** 'macro, 5 passos' */
export const stepsText = (count: number): string => (count === 1 ? '1 passo' : `${count} passos`)
