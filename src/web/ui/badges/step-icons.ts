import {
  ArrowUp,
  Check,
  CirclePause,
  Layers,
  type LucideIcon,
  MessageSquareText,
  Paperclip,
  Shapes,
  StickyNote,
  Tag,
  UserRound,
} from 'lucide-react'
import type { StepKind } from '#shared/macros/steps.ts'

/** The icons of the steps of macros. */
export const stepIcons: Readonly<Record<StepKind, LucideIcon>> = {
  text: MessageSquareText,
  file: Paperclip,
  note: StickyNote,
  tag: Tag,
  category: Shapes,
  sector: Layers,
  person: UserRound,
  priority: ArrowUp,
  snooze: CirclePause,
  finalize: Check,
}
