import { useState } from 'react'
import { silenceModeLabels } from '#shared/settings/texts.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { SettingsSection } from '#web/ui/layout/settings-section.tsx'
import { useMe } from '#web/users/me-context.ts'
import { SilentHoursDialog } from './silent-hours-dialog.tsx'

/** When the console is quiet for the person. */
export function SilentHoursSection() {
  const own = useMe().silentHours
  const [isOpen, setIsOpen] = useState(false)
  return (
    <SettingsSection
      title="Horário silencioso"
      description="Sem sons e sem notificações na área de trabalho; o sino e os contadores seguem contando."
    >
      <div className="flex flex-wrap items-center gap-3">
        <p className="text-sm text-ink-2">
          {own === null
            ? 'O padrão da equipe.'
            : own.mode === 'hours'
              ? `O seu: das ${own.start} às ${own.end}, nos dias que você escolheu.`
              : `O seu: ${silenceModeLabels[own.mode].toLowerCase()}.`}
        </p>
        <Button onClick={() => setIsOpen(true)}>Mudar</Button>
      </div>
      {isOpen && <SilentHoursDialog onClose={() => setIsOpen(false)} />}
    </SettingsSection>
  )
}
