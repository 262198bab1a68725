import { type Act, screenPaths, type ScreenPath } from '#shared/acts.ts'
import { controls } from '#shared/rooms/texts.ts'
import type { Control } from './controls.ts'

export type ActText = Control<Act>

/** What the rooms declare, by screen; '*' is the frame of all of them. */
const ofRooms: readonly Partial<Record<ScreenPath | '*', readonly ActText[]>>[] = controls

const actsOf = (path: ScreenPath | '*') => ofRooms.flatMap((room) => room[path] ?? [])

/** What each screen shows and offers; without a screen: what the frame of all of them offers. */
export const actGroups: readonly { path?: ScreenPath; acts: readonly ActText[] }[] = [
  { acts: actsOf('*') },
  ...screenPaths.map((path) => ({ path, acts: actsOf(path) })),
]
