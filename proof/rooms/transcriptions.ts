import { rowOf } from '../access/law/table.ts'
import { type Case, changing, type Recipes } from '../access/recipe.ts'
import { each, shared, talks } from '../access/targets.ts'
import type { Talk } from '../access/world/talks.ts'

const pathOf = ({ id, messageId }: Talk) => ({
  path: `/api/conversations/${id}/messages/${messageId}/transcription`,
})

const openRow = 'POST /api/conversations/{open}/messages/{messageId}/transcription'

/** Of a text: whoever may ask is told so, and nothing is sent anywhere. */
const ofText = { status: 409 } as const

const open: Case[] = [
  { what: 'of a colleague', sees: 'reader', ...ofText, targets: each(talks('colleague'), pathOf) },
  { what: 'in the FILA', sees: 'reader', ...ofText, targets: each(talks('nobody'), pathOf) },
]

const completed: Case[] = [
  { what: 'of a colleague', sees: 'archive', ...ofText, targets: shared('colleague', true, pathOf) },
  {
    what: 'own',
    sees: 'reader',
    needs: rowOf(openRow),
    ...ofText,
    targets: each(talks('own', true), pathOf),
  },
]

/** The call that asks for a sound in words. */
export const recipes = {
  [openRow]: changing(open),
  'POST /api/conversations/{completed}/messages/{messageId}/transcription': changing(completed),
} satisfies Recipes
