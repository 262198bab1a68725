import { recipes as ofRooms } from '../rooms.ts'
import { tableRows } from './law/table.ts'
import type { Recipe } from './recipe.ts'

/** How each row of the permission table is called, and what it may change. */
export const recipes: Readonly<Record<string, Recipe>> = ofRooms

const missing = tableRows.flatMap(({ id }) => (id in recipes ? [] : id))
if (missing.length > 0) throw new Error(`rows without a recipe in proof/rooms: ${missing.join(', ')}`)
