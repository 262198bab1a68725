import { SlidersHorizontal } from 'lucide-react'
import { Link, useSearchParams } from 'wouter'
import { roleLabels } from '#shared/text/text.ts'
import { EvolutionTab } from '#web/gateway/gateway.tsx'
import { useCan, useMe } from '#web/users/users.tsx'
import { Avatar } from '#web/ui/badges/avatar.tsx'
import { Button } from '#web/ui/buttons/button.tsx'
import { Page } from '#web/ui/layout/page.tsx'
import { SettingsSection } from '#web/ui/layout/settings-section.tsx'
import { Tabs } from '#web/ui/layout/tabs.tsx'
import { AutomaticMessages } from '#web/settings/messages/automatic-messages.tsx'
import { MediaPanel } from './media-panel.tsx'

/**
 * '/settings' and '/configuracoes': the user's own data, and the settings they may see. @see specification §2
 * Settings
 */
export function SettingsScreen() {
  const canView = useCan('viewSettings')
  const canViewMedia = useCan('viewMediaSettings')
  const canManageGateway = useCan('manageGateway')
  const canOpenAdvanced = useCan('openAdvancedSettings')
  const [search, setSearch] = useSearchParams()
  const tabs = [
    { value: 'usuario', label: 'Usuário', panel: <UserInfo /> },
    ...(canView
      ? [{ value: 'mensagens', label: 'Mensagens automáticas', panel: <AutomaticMessages /> }]
      : []),
    ...(canViewMedia ? [{ value: 'midia', label: 'Mídia', panel: <MediaPanel /> }] : []),
    ...(canManageGateway ? [{ value: 'gateway', label: 'Evolution API', panel: <EvolutionTab /> }] : []),
  ]
  const chosen = tabs.find(({ value }) => value === search.get('aba')) ?? tabs[0]
  return (
    <Page
      title="Configurações"
      isTabbed
      actions={
        canOpenAdvanced && (
          <Button asChild>
            <Link href="/settings-advanced">
              <SlidersHorizontal size={16} aria-hidden className="-ml-[3px] text-ink-2" />
              Configurações Avançadas
            </Link>
          </Button>
        )
      }
    >
      <Tabs
        label="Configurações"
        tabs={tabs}
        value={chosen?.value ?? ''}
        onChange={(aba) => setSearch({ aba })}
      >
        {chosen?.panel}
      </Tabs>
    </Page>
  )
}

/** What `/perfil` says of the user, in short. */
function UserInfo() {
  const me = useMe()
  const facts = [
    ['Nome', me.name],
    ['Perfil', roleLabels[me.role]],
    ['E-mail', me.email],
    ['Usuário', me.username],
  ]
  return (
    <SettingsSection
      title="Seus dados"
      description="O tipo de usuário e o username são mudados por um administrador; o resto, no seu perfil."
      isLast
    >
      <Avatar name={me.name} src={me.pictureUrl} size={64} />
      <dl className="grid w-full gap-x-6 gap-y-3.5 text-sm md:grid-cols-2">
        {facts.map(([name, value]) => (
          <div key={name} className="min-w-0">
            <dt className="text-xs text-ink-3">{name}</dt>
            <dd className="[overflow-wrap:anywhere]">{value}</dd>
          </div>
        ))}
      </dl>
      <Button asChild>
        <Link href="/perfil">Abrir meu perfil</Link>
      </Button>
    </SettingsSection>
  )
}
