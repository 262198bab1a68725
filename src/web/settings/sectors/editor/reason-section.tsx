import type { Inherited } from '#shared/sectors/managed-sectors.ts'
import { Segmented } from '#web/ui/fields/segmented.tsx'
import { askLabels, AskReasonSetting } from '#web/settings/fields/ask-reason.tsx'
import { useOwnGroup } from './own-group.ts'
import { Section } from './section.tsx'
import { reasonGroup } from './sector-values.ts'

const choices = [
  { value: 'all', label: 'Herdado' },
  { value: 'own', label: 'Próprio' },
] as const

/** Whether whoever finalizes a conversation of the sector is asked for a reason. */
export function ReasonSection({ inherited }: { inherited: Inherited }) {
  const { isOwn, setOwn, from, values } = useOwnGroup(reasonGroup, inherited)
  return (
    <Section title="Motivo ao finalizar" description="Se quem finaliza é perguntado pelo motivo.">
      <Segmented
        label="Motivo ao finalizar: de onde vale"
        value={isOwn ? 'own' : 'all'}
        options={choices}
        onChange={(next) => setOwn(next === 'own')}
      />
      {isOwn ? (
        <AskReasonSetting />
      ) : (
        <p className="text-sm text-ink-2">
          {from === 'numbers'
            ? 'Cada número tem o seu, ou o da instalação.'
            : values.askReason && askLabels[values.askReason]}
        </p>
      )}
    </Section>
  )
}
