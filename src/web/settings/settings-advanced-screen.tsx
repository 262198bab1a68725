import { EvolutionTab } from '#web/gateway/gateway.tsx'
import { useCan, useMe } from '#web/users/users.tsx'
import { DeniedState } from '#web/ui/denied-state.tsx'
import { Page } from '#web/ui/page.tsx'
import { Tabs } from '#web/ui/tabs.tsx'

const tabs = [{ value: 'evolution', label: 'Evolution API' }]

/** '/settings-advanced' @see specification §2 Settings */
export function SettingsAdvancedScreen() {
  const isAdmin = useMe().role === 'admin'
  const canManage = useCan('canManageEvolutionApi')
  if (!isAdmin || !canManage) return <DeniedState isPage />
  return (
    <Page title="Configurações Avançadas" isTabbed>
      <Tabs label="Configurações" tabs={tabs} value="evolution">
        <EvolutionTab />
      </Tabs>
    </Page>
  )
}
