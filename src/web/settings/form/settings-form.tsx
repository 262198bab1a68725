import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type SystemSettings, systemSettings } from '#shared/settings/settings.ts'
import { DeniedState } from '#web/ui/states/denied-state.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { useSaveSettings } from './mutations.ts'
import { settingsQueries } from './queries.ts'
import { SettingsSkeleton } from './settings-skeleton.tsx'
import { StoredForm, type Words } from './stored-form.tsx'

type Key = keyof SystemSettings
type Whole = SystemSettings & { version: number }

/**
 * A form over some of the settings; its fields use `useFormContext<SystemSettings>()`. Only changed fields
 * are sent.
 */
export function SettingsForm({
  keys,
  words,
  children,
}: {
  keys: readonly Key[]
  words: Words
  children: ReactNode
}) {
  const save = useSaveSettings()
  return (
    <WithSettings>
      {(settings) => (
        <StoredForm
          stored={{ ...settings, own: [] }}
          keys={keys}
          words={words}
          save={async (_typed, changed) => ({ ...(await save.mutateAsync(changed)), own: [] })}
        >
          {children}
        </StoredForm>
      )}
    </WithSettings>
  )
}

/** What is shown once the settings of the installation are there, all of them. */
export function WithSettings({ children }: { children: (settings: Whole) => ReactNode }) {
  const settings = useQuery(settingsQueries.system())
  if (settings.isPending) return <SettingsSkeleton />
  if (!settings.data)
    return (
      <ErrorState
        description={settings.error.message}
        isRetrying={settings.isFetching}
        onRetry={() => void settings.refetch()}
      />
    )
  if (!isWhole(settings.data))
    return <DeniedState description="Você não tem permissão para ver estas configurações." />
  return children(settings.data)
}

const allKeys = Object.keys(systemSettings.shape) as Key[]

/** Without canViewSettings only the settings everybody needs are returned. */
const isWhole = (settings: object): settings is Whole => allKeys.every((key) => key in settings)
