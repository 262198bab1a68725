import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useRef } from 'react'
import { useFormContext } from 'react-hook-form'
import { type ManagedNumber, saveNumberSettings } from '#shared/gateway/gateway.ts'
import type { NumberSettings as Values, NumberSettingsChange } from '#shared/settings/own-settings.ts'
import type { SystemSettings } from '#shared/settings/settings.ts'
import type { TemplateValues } from '#shared/text/template.ts'
import { call } from '#web/platform/api/api.ts'
import { Segmented } from '#web/ui/fields/segmented.tsx'
import { SettingsSection } from '#web/ui/layout/settings-section.tsx'
import { askLabels, AskSetting } from '#web/settings/fields/ask-at-end.tsx'
import { SwitchSetting } from '#web/settings/fields/controls.tsx'
import { TextSetting } from '#web/settings/fields/text-setting.tsx'
import { previewOf, sampleValues, type TextKey, textSettings } from '#web/settings/fields/texts.ts'
import { WithSettings } from '#web/settings/form/settings-form.tsx'
import { type FormValues, type Stored, StoredForm } from '#web/settings/form/stored-form.tsx'
import { HoursFields, LunchFields } from '#web/settings/hours/hours-fields.tsx'
import { ScheduleExceptions } from '#web/settings/hours/schedule-exceptions.tsx'
import { Week } from '#web/settings/hours/week.tsx'
import { PreAttendanceFields } from '#web/settings/messages/pre-attendance-tab.tsx'
import { useMe } from '#web/users/users.tsx'
import { type Group, groups, ownChange, ownGroups } from './groups.ts'

const keys = [...groups.flatMap((group) => group.keys), 'own'] as const

const words = {
  saved: 'Configurações do número salvas com sucesso!',
  failed: (message: string) => `Falha ao salvar configurações: ${message}`,
}

/** Which settings of a number are its own, and these; the others are shown as those of the installation. */
export function NumberSettings({
  number,
  onSaved,
}: {
  number: ManagedNumber
  onSaved: (saved: ManagedNumber) => void
}) {
  const save = useMutation({
    mutationFn: (body: NumberSettingsChange) => call(saveNumberSettings, { params: { id: number.id }, body }),
    onSuccess: onSaved,
  })
  return (
    <WithSettings>
      {(settings) => (
        <StoredForm
          stored={withOwn(settings, number)}
          keys={keys}
          words={words}
          save={async (typed, { version, ...changed }, seen) => {
            const change = ownChange(typed, Object.keys(changed), seen.own)
            return withOwn(settings, await save.mutateAsync({ ...change, version }))
          }}
        >
          {groups.map((group, at) => (
            <GroupSection
              key={group.name}
              group={group}
              settings={settings}
              isLast={at === groups.length - 1}
            />
          ))}
        </StoredForm>
      )}
    </WithSettings>
  )
}

/** What applies to the number; the version is that of what is its own. */
const withOwn = (
  settings: SystemSettings,
  { own, ownVersion }: Pick<ManagedNumber, 'own' | 'ownVersion'>,
): Stored => ({ ...settings, ...own, own: ownGroups(own), version: ownVersion })

const choices = [
  { value: 'all', label: 'Da instalação' },
  { value: 'own', label: 'Próprio' },
] as const

function GroupSection({
  group,
  settings,
  isLast,
}: {
  group: Group
  /** Those of the installation. */
  settings: SystemSettings
  isLast: boolean
}) {
  const { watch, setValue, getValues } = useFormContext<FormValues>()
  const own = watch('own')
  const isOwn = own.includes(group.name)
  // The field of a single text says the same.
  const isSelfExplanatory = isOwn && group.keys.length === 1
  // Whoever looks at what the installation has finds their own again.
  const before = useRef<Partial<Values>>(undefined)
  const choose = (next: 'all' | 'own') => {
    if ((next === 'own') === isOwn) return
    if (next === 'all') before.current = Object.fromEntries(group.keys.map((key) => [key, getValues(key)]))
    const values: Partial<Values> = next === 'own' ? (before.current ?? settings) : settings
    for (const key of group.keys) setValue(key, values[key] as never, { shouldValidate: true })
    const others = own.filter((name) => name !== group.name)
    // In a fixed order, so that going back and forth leaves nothing to save.
    setValue('own', (next === 'own' ? [...others, group.name] : others).toSorted())
  }
  return (
    <SettingsSection
      title={group.title}
      description={isSelfExplanatory ? undefined : group.description}
      isLast={isLast}
    >
      <Segmented
        label={`${group.title}: de onde vale`}
        value={isOwn ? 'own' : 'all'}
        options={choices}
        onChange={choose}
      />
      {isOwn ? <OwnFields group={group} /> : <Inherited group={group} />}
    </SettingsSection>
  )
}

const special: Partial<Record<string, () => ReactNode>> = {
  hours: () => (
    <>
      <HoursFields />
      <LunchFields />
      <ScheduleExceptions />
    </>
  ),
  preAttendance: () => <PreAttendanceFields />,
  reason: () => <AskSetting name="askReason" />,
  tag: () => <AskSetting name="askTag" />,
}

/** The fields of the installation's own tabs. */
function OwnFields({ group: { name, keys: names } }: { group: Group }) {
  return (
    special[name]?.() ??
    names.map((key) =>
      isText(key) ? <TextSetting key={key} name={key} /> : <Switched key={key} name={key} />,
    )
  )
}

const isText = (key: string): key is TextKey => key in textSettings

const switchLabels: Partial<Record<string, string>> = {
  isAutoReplyEnabled: 'Responder fora do horário',
  ratingsEnabled: 'Pedir avaliação',
  preAttendanceEnabled: 'Perguntar antes de entrar na fila',
}

function Switched({ name }: { name: string }) {
  return <SwitchSetting name={name as 'ratingsEnabled'} label={switchLabels[name] ?? name} />
}

/** What applies to the number because the installation has it, to be read only. */
function Inherited({ group }: { group: Group }) {
  const { watch } = useFormContext<FormValues>()
  const me = useMe()
  if (group.name === 'hours')
    return (
      <div role="group" aria-label="Horário da instalação" className="w-full">
        <Week isReadOnly />
      </div>
    )
  return (
    <dl className="grid w-full gap-2 text-sm">
      {group.keys.map((key) => {
        const value = watch(key)
        return (
          <div key={key} className="min-w-0">
            {group.keys.length > 1 && (
              <dt className="text-xs text-ink-3">
                {isText(key) ? textSettings[key].label : switchLabels[key]}
              </dt>
            )}
            <dd className="line-clamp-3 whitespace-pre-line text-ink-2 [overflow-wrap:anywhere]" dir="auto">
              {key === 'askReason' || key === 'askTag'
                ? askLabels[watch(key)]
                : inWords(value, sampleValues(me.name))}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

function inWords(value: unknown, samples: TemplateValues): string {
  if (typeof value !== 'string') return value === true ? 'Sim' : 'Não'
  return value.trim() === '' ? 'Vazio: nada é enviado.' : previewOf(value, samples)
}
