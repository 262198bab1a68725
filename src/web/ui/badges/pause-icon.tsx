import {
  Coffee,
  Droplets,
  GraduationCap,
  HeartPulse,
  type LucideIcon,
  Pause,
  Phone,
  UsersRound,
  Utensils,
} from 'lucide-react'
import type { PauseIcon as Icon } from '#shared/users/users.ts'

export const pauseIconsByName: Readonly<Record<Icon, LucideIcon>> = {
  meal: Utensils,
  restroom: Droplets,
  snack: Coffee,
  meeting: UsersRound,
  training: GraduationCap,
  call: Phone,
  health: HeartPulse,
  break: Pause,
}

/** The icon of a pause, also of one that a later version knows. */
export function PauseIcon({ icon, className }: { icon: Icon; className?: string | undefined }) {
  const Shown = pauseIconsByName[icon] ?? Pause
  return <Shown size={16} aria-hidden className={className} />
}
