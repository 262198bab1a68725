import type { LucideIcon } from 'lucide-react'
import type { ComponentType } from 'react'

/** What a room declares of a screen of its own, in its `screens.ts`, by the screen's address. */
export interface Screen {
  /** Loads it when it is first shown. Absent: `routes.tsx` makes it of parts of several rooms. */
  load?: () => Promise<ComponentType>
  /** What is shown until it is loaded; a spinner if absent. */
  loading?: ComponentType
  /** Other addresses of it. */
  aliases?: readonly string[]
  /** Where it is in the side bar, if `shared` says that it is there. */
  menu?: { icon: LucideIcon; group: 'daily' | 'management' }
  /** The screen in the side bar that is marked while this one is shown. */
  within?: string
}

export type Screens = Readonly<Record<string, Screen>>
