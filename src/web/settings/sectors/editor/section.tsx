import { Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { SettingsSection } from '#web/ui/layout/settings-section.tsx'

/** A part of the editor. What only administrators change is grey for a lead, and says so. */
export function Section({
  title,
  description,
  isLocked = false,
  isLast = false,
  children,
}: {
  title: string
  description: string
  isLocked?: boolean
  isLast?: boolean
  children: ReactNode
}) {
  return (
    <SettingsSection
      title={title}
      isLast={isLast}
      description={
        <>
          {description}
          {isLocked && <OnlyAdministrators />}
        </>
      }
    >
      {children}
    </SettingsSection>
  )
}

function OnlyAdministrators() {
  return (
    <span className="mt-1.5 flex items-center gap-1.5 text-xs text-ink-3">
      <Lock size={12} aria-hidden className="flex-none" />
      Somente administradores
    </span>
  )
}
