import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { Link } from 'wouter'
import type { ManagedSector } from '#shared/sectors/managed-sectors.ts'
import { storedChoice } from '#web/platform/browser/stored.ts'
import { settingsQueries } from '#web/settings/form/queries.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { useCan } from '#web/users/users.tsx'

const seenChoice = storedChoice('menu-de-setores-visto', (stored) => stored === 'true')

/**
 * Offers the client's menu of sectors from the second sector on, which is of use only then: below the list,
 * where it moves nothing, to whoever can switch it on, and once.
 */
export function MenuOffer({ sectors }: { sectors: readonly ManagedSector[] }) {
  const isSeen = seenChoice.use()
  const mayOpen = useCan('openAdvancedSettings')
  const mayChange = useCan('editSettings')
  const isOffered = mayOpen && mayChange && !isSeen && sectors.filter(({ isActive }) => isActive).length > 1
  const { data } = useQuery({ ...settingsQueries.system(), enabled: isOffered })
  if (!isOffered || !data || data.sectorMenuEnabled) return null
  const dismiss = () => seenChoice.set(true)
  return (
    <Card className="relative mt-3 py-2.5 pr-11 pl-3.5">
      <p className="text-sm text-pretty text-ink-2">
        Quem escreve ainda não escolhe o setor. Com o menu, cada cliente cai direto na fila certa.
      </p>
      <Button asChild size="sm" className="mt-2">
        <Link href="/settings-advanced?aba=pre-atendimento" onClick={dismiss}>
          Menu de setores
        </Link>
      </Button>
      <IconButton
        icon={X}
        size="sm"
        label="Dispensar o aviso do menu"
        onClick={dismiss}
        className="absolute top-1.5 right-1.5 max-md:size-11"
      />
    </Card>
  )
}
