import type { Inherited } from '#shared/sectors/managed-sectors.ts'
import { Segmented } from '#web/ui/fields/segmented.tsx'
import { HoursFields, LunchFields } from '#web/settings/hours/hours-fields.tsx'
import { ScheduleExceptions } from '#web/settings/hours/schedule-exceptions.tsx'
import { Week } from '#web/settings/hours/week.tsx'
import { useOwnGroup } from './own-group.ts'
import { Section } from './section.tsx'
import { hoursGroup } from './sector-values.ts'

const choices = [
  { value: 'all', label: 'Da instalação' },
  { value: 'own', label: 'Próprio' },
] as const

export function HoursSection({ inherited }: { inherited: Inherited }) {
  const { isOwn, setOwn, from } = useOwnGroup(hoursGroup, inherited)
  return (
    <Section title="Horário" description="Herdado da instalação ou próprio; exceções também.">
      <Segmented
        label="Horário: de onde vale"
        value={isOwn ? 'own' : 'all'}
        options={choices}
        onChange={(next) => setOwn(next === 'own')}
      />
      {isOwn ? (
        <>
          <HoursFields />
          <LunchFields />
          <ScheduleExceptions />
        </>
      ) : (
        <>
          <div role="group" aria-label="Horário herdado" className="w-full">
            <Week isReadOnly />
          </div>
          {from !== 'installation' && (
            <p className="text-xs text-ink-3">
              Um número com horário próprio segue o seu nas conversas deste setor.
            </p>
          )}
        </>
      )}
    </Section>
  )
}
