import type { Inherited } from '#shared/sectors/managed-sectors.ts'
import { Segmented } from '#web/ui/fields/segmented.tsx'
import { askLabels, AskSetting } from '#web/settings/fields/ask-at-end.tsx'
import { useOwnGroup } from './own-group.ts'
import { Section } from './section.tsx'
import { askGroups } from './sector-values.ts'

const choices = [
  { value: 'all', label: 'Herdado' },
  { value: 'own', label: 'Próprio' },
] as const

/** Whether whoever finalizes a conversation of the sector is asked for a reason, or for a tag. */
export function AskSection({
  group,
  inherited,
}: {
  group: (typeof askGroups)[number]
  inherited: Inherited
}) {
  const { name, key, title, description } = group
  const { isOwn, setOwn, from, values } = useOwnGroup(name, inherited)
  const value = values[key]
  return (
    <Section title={title} description={description}>
      <Segmented
        label={`${title}: de onde vale`}
        value={isOwn ? 'own' : 'all'}
        options={choices}
        onChange={(next) => setOwn(next === 'own')}
      />
      {isOwn ? (
        <AskSetting name={key} />
      ) : (
        <p className="text-sm text-ink-2">
          {from === 'numbers' ? 'Cada número tem o seu, ou o da instalação.' : value && askLabels[value]}
        </p>
      )}
    </Section>
  )
}
