import { SlidersHorizontal } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, useSearchParams } from 'wouter'
import { roleLabels } from '#shared/text/text.ts'
import { EvolutionTab } from '#web/gateway/gateway.tsx'
import { useCan, useMe } from '#web/users/users.tsx'
import { Avatar } from '#web/ui/badges/avatar.tsx'
import { Button } from '#web/ui/buttons/button.tsx'
import { SettingsSection } from '#web/ui/layout/settings-section.tsx'
import { SettingsFrame } from '#web/settings/frame/settings-frame.tsx'
import type { PlaceId } from '#web/settings/frame/settings-index.ts'
import { AutomaticMessages } from '#web/settings/messages/automatic-messages.tsx'
import { ReasonsTab } from '#web/settings/reasons/reasons-tab.tsx'
import { RepliesAndMacros } from '#web/settings/replies/replies-and-macros.tsx'
import { TagsTab } from '#web/settings/tags/tags-tab.tsx'
import { MediaPanel } from './media-panel.tsx'

/**
 * '/settings' and '/configuracoes': the user's own data, and the settings they may see. @see specification §2
 * Settings
 */
export function SettingsScreen() {
  const canView = useCan('viewSettings')
  const canViewMedia = useCan('viewMediaSettings')
  const canManageGateway = useCan('manageGateway')
  const canManageReasons = useCan('manageReasons')
  const canManageTags = useCan('manageTags')
  const canOpenAdvanced = useCan('openAdvancedSettings')
  const [search] = useSearchParams()
  const user: Part = { aba: 'usuario', id: 'usuario', panel: <UserInfo /> }
  const parts: readonly (Part | false)[] = [
    user,
    canView && { aba: 'mensagens', id: 'automaticas', panel: <AutomaticMessages /> },
    !canOpenAdvanced && { aba: 'respostas', id: 'respostas', panel: <RepliesAndMacros /> },
    !canOpenAdvanced && { aba: 'macros', id: 'respostas', panel: <RepliesAndMacros /> },
    canViewMedia && { aba: 'midia', id: 'midia', panel: <MediaPanel /> },
    canManageReasons && !canOpenAdvanced && { aba: 'motivos', id: 'motivos', panel: <ReasonsTab /> },
    canManageTags && !canOpenAdvanced && { aba: 'etiquetas', id: 'etiquetas', panel: <TagsTab /> },
    canManageGateway && { aba: 'gateway', id: 'evolution', panel: <EvolutionTab /> },
  ]
  const chosen = parts.find((part) => part !== false && part.aba === search.get('aba')) || user
  return (
    <SettingsFrame
      title="Configurações"
      chosen={chosen.id}
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
      {chosen.panel}
    </SettingsFrame>
  )
}

/** A part of the settings, by its name in the address. */
interface Part {
  aba: string
  id: PlaceId
  panel: ReactNode
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
