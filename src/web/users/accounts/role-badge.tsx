import { Eye, Headset, type LucideIcon, Shield } from 'lucide-react'
import type { Role } from '#shared/permissions.ts'
import { roleLabels } from '#shared/text/text.ts'
import { Badge, type BadgeTone } from '#web/ui/badges/badge.tsx'

export const roleIcons: Record<Role, LucideIcon> = { operator: Headset, supervisor: Eye, admin: Shield }

const tones: Record<Role, BadgeTone> = { operator: 'neutral', supervisor: 'blue', admin: 'accent' }

export function RoleBadge({ role }: { role: Role }) {
  return (
    <Badge tone={tones[role]} icon={roleIcons[role]}>
      {roleLabels[role]}
    </Badge>
  )
}
